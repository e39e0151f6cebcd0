import { expect, test } from 'vitest';
import { itemsOf } from '#src/admin/queries/api-queries.ts';

const down = new Error('the server is down');

test('the items of two platforms are shown if the third platform fails', async () => {
  expect(await itemsOf([Promise.resolve([1]), Promise.reject(down), Promise.resolve([2, 3])])).toEqual([1, 2, 3]);
});

test('the error is thrown if every platform fails', async () => {
  await expect(itemsOf([Promise.reject(down), Promise.reject(down)])).rejects.toBe(down);
});

test('the list is empty without platforms', async () => {
  expect(await itemsOf([])).toEqual([]);
});
