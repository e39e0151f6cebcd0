import { expect, test } from 'vitest';
import { readRows } from '#src/http/lenient.ts';
import { countIn, filledIn, instantIn, listIn, needed, neededObject, rowOf, rowsIn, textIn } from '#src/http/values.ts';

const Row = rowOf((row) => ({
  id: needed(textIn(row['id']), 'id'),
  author: neededObject(row['author'], 'author', (author) => ({
    name: needed(filledIn(author['name']), 'name'),
    posts: countIn(author['posts']),
  })),
}));

test('rows without a needed value are left out with their path, and all others are read', () => {
  const wires = [
    { id: '1', author: { name: 'Ada', posts: -1 } },
    { id: '5', author: { name: 'Bo', posts: 0 } },
    { id: '2', author: { name: '' } },
    { id: '3' },
    { id: 4, author: {} },
    null,
  ];

  const { rows, partialErrors } = readRows(Row).parse(wires);

  expect(rows).toEqual([
    { id: '1', author: { name: 'Ada', posts: undefined } },
    { id: '5', author: { name: 'Bo', posts: 0 } },
  ]);
  expect(partialErrors).toEqual([
    { fault: 'malformed', message: 'A row of the response is invalid: author.name.', values: ['2'] },
    { fault: 'malformed', message: 'A row of the response is invalid: author.', values: ['3'] },
    { fault: 'malformed', message: 'A row of the response is invalid: id.', values: ['4'] },
    { fault: 'malformed', message: 'A row of the response is invalid: the whole row.', values: [] },
  ]);
});

test('a list without a readable row is an error', () => {
  expect(readRows(Row).safeParse([{ id: '1' }]).success).toBe(false);
});

test('values of another type are absent', () => {
  expect([textIn(1), filledIn(''), countIn(1.5), countIn('1'), instantIn('soon'), instantIn(0)]).toEqual(Array(6).fill(undefined));
  expect(instantIn('2026-11-20T18:00:00')).toEqual(new Date('2026-11-20T18:00:00Z'));
  expect(rowsIn(['a', 1, null, 'b'], textIn)).toEqual(['a', 'b']);
  expect(rowsIn('a', textIn)).toEqual([]);
  expect([listIn([1], textIn), listIn([], textIn), listIn(null, textIn)]).toEqual([undefined, [], undefined]);
});
