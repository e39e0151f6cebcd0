import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly scripts: Readonly<Record<string, string>> }; // npm reads it so

test('README names the commands that start Fanfare and run its tests, under one heading', () => {
  const sections = readFileSync('README.md', 'utf8').split(/^## /mu);
  const commands = sections.map((section) => Array.from(section.matchAll(/\bnpm (?:run )?([a-z][\w:-]*)/gu), ([, name]) => name));

  expect(commands).toContainEqual(['ci', 'start', 'test']);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['start', 'test']));
});
