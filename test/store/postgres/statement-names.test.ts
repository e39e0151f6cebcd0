import { expect, test } from 'vitest';
import { createStatementNames } from '#src/store/postgres/statement-names.ts';

test('a repeated statement gets one name', () => {
  const nameOf = createStatementNames();
  const names = Array.from({ length: 12 }, () => nameOf('select id from delivery'));
  expect(names.slice(0, 4)).toEqual([undefined, undefined, undefined, undefined]);
  expect(names.slice(4)).toEqual(Array.from({ length: 8 }, () => 'often_1'));
});

test('two statements have two names', () => {
  const nameOf = createStatementNames();
  const last = (text: string) => Array.from({ length: 5 }, () => nameOf(text)).at(-1);
  expect([last('select id from delivery'), last('select id from firing')]).toEqual(['often_1', 'often_2']);
});

test('statements that alternate have names', () => {
  const nameOf = createStatementNames();
  const texts = ['select id from delivery', 'select id from firing'];
  const names = Array.from({ length: 5 }, () => texts.map(nameOf));
  expect(names.at(-1)).toEqual(['often_1', 'often_2']);
});

test('a statement over all columns has no name, because a newer version may add one', () => {
  const nameOf = createStatementNames();
  expect(Array.from({ length: 9 }, () => nameOf('select * from lane')).at(-1)).toBe(undefined);
});

test('the number of names is limited, even with many statements', () => {
  const nameOf = createStatementNames();
  const names = new Set(Array.from({ length: 3_000 }, (_, index) => nameOf(`select ${Math.floor(index / 5)}`)));
  expect(names.size).toBe(201);
});
