import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readGuide, WISHES, writtenLines } from '../../docs/generator/wishes/wishes.ts';
import { readPage } from './pages.ts';
import { tricksOf } from './rule-tricks.ts';

const MAX_LINES = 15;
const fulfilled = WISHES.flatMap(({ guide }) => (guide === undefined ? [] : [guide]));

test('each wish has its own source, and a guide or a statement of what is missing', () => {
  const sources = WISHES.map(({ source }) => source);

  expect(sources.filter((source, index) => sources.indexOf(source) !== index)).toEqual([]);
  expect(WISHES.filter(({ guide, missing }) => (guide === undefined) === (missing === undefined))).toEqual([]);
  expect(WISHES.map(({ wish }) => wish).filter((wish) => !/^[A-Z].+\.$/u.test(wish))).toEqual([]);
});

test('at least forty wishes have a rule', () => {
  expect(fulfilled.length).toBeGreaterThanOrEqual(40);
});

describe.each([...new Set(fulfilled)])('the rule of the guide %s', (guide) => {
  test('exists, and is the one that the tests of the guides run', () => {
    expect(existsSync(`docs/guides/${guide}.md`)).toBe(true);
    expect(readPage(`docs/guides/${guide}.md`).rules.map(({ source }) => source)).toEqual([readGuide('.', guide).rule]);
    expect(readGuide('.', guide).cases).toBeGreaterThan(0);
  });

  test(`has at most ${MAX_LINES} lines and uses no trick`, () => {
    const { rule } = readGuide('.', guide);

    expect(writtenLines(rule).length).toBeLessThanOrEqual(MAX_LINES);
    expect(tricksOf(rule)).toEqual([]);
  });
});

describe('a trick', () => {
  const put = (name: string): string =>
    `when: { every: 1m }\nthen:\n  - do: discord.put\n    with: { name: "${name}", channel: live, content: hello }\n`;

  test('is discord.put with a name that differs for each item or time', () => {
    expect(tricksOf(put('post-${{ item.id }}'))).toEqual(['discord.put with a computed name']);
    expect(tricksOf(put('board-${{ each.game }}'))).toEqual([]);
    expect(tricksOf(put('board'))).toEqual([]);
  });

  test('is reading the messages that the rule sends', () => {
    const reads = (channel: string): string =>
      `when: { every: 1m }\nthen:\n  - do: discord.getMessages\n    with: { channel: ${channel} }\n  - do: discord.send\n    with: { channel: live, content: hello }\n`;

    expect(tricksOf(reads('live'))).toEqual(['a Discord channel as storage']);
    expect(tricksOf(reads('questions'))).toEqual([]);
  });
});
