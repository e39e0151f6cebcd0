import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

/** By page, sentences of the page with the title of the test that checks them. */
const Promises = z.record(z.string(), z.record(z.string(), z.string().min(20)));

const promises = Object.entries(Promises.parse(parse(readFileSync('test/docs/promises.yaml', 'utf8'))));
/** The sources of all tests, which contain the titles as they are written. */
const tests = globSync('{test,sandbox/test}/**/*.ts')
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');

test.for(promises)('each promise in %s is on the page and has a test', ([file, tested]) => {
  const page = readFileSync(`docs/explanation/${file}`, 'utf8').replaceAll(/\s+/gu, ' ');

  expect(Object.keys(tested).filter((promise) => !page.includes(promise))).toEqual([]);
  expect(Object.values(tested).filter((title) => !tests.includes(title))).toEqual([]);
});

test('each page of docs/explanation has promises, or only describes', () => {
  const pages = globSync('docs/explanation/*.md').map((page) => page.replaceAll('\\', '/').replace('docs/explanation/', ''));

  expect(pages.filter((page) => !promises.some(([file]) => file === page)).toSorted()).toEqual([
    'architecture.md',
    'comparison.md',
    'glossary.md',
    'performance.md',
  ]);
});
