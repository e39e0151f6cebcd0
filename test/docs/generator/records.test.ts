import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { catalogue } from '#src/clients/catalogue.ts';

const pages = globSync('docs/reference/records-*.md').toSorted();

test('each client of the catalogue has a page of its records', () => {
  const clients = new Set([...catalogue.keys()].map((verb) => verb.split('.')[0]));

  expect(new Set(pages.map((page) => /records-(\w+)\.md$/u.exec(page)?.[1]))).toEqual(clients);
});

describe.each(pages)('%s', (page) => {
  const rows = readFileSync(page, 'utf8').match(/^\| `.*\|$/gmu) ?? [];

  test('explains each field', () => {
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.filter((row) => /\|\s*\|$/u.test(row))).toEqual([]);
  });
});

test('each operation names its result', () => {
  const sections = globSync('docs/reference/operations-*.md').flatMap((page) => readFileSync(page, 'utf8').split(/^## /mu).slice(1));
  const missing = sections.filter((section) => !/^(?:Result|Each item): /mu.test(section)).map((section) => section.split('\n')[0]);

  expect(sections).toHaveLength(catalogue.size);
  expect(missing).toEqual([]);
});

test('docs/reference/http-api.md explains each field', () => {
  const rows = readFileSync('docs/reference/http-api.md', 'utf8').match(/^\| `[\w.[\]?]+` \|.*\|$/gmu) ?? [];

  expect(rows.length).toBeGreaterThan(100);
  expect(rows.filter((row) => /\|\s*\|$/u.test(row))).toEqual([]);
});
