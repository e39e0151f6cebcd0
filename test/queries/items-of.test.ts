import { expect, test } from 'vitest';
import { itemsOf } from '#src/queries/views.ts';

const down = new Error('the server is down');

test('what two platforms have is shown while the third is down', async () => {
  expect(await itemsOf([Promise.resolve([1]), Promise.reject(down), Promise.resolve([2, 3])])).toEqual([1, 2, 3]);
});

test('where no platform answers, that is said', async () => {
  await expect(itemsOf([Promise.reject(down), Promise.reject(down)])).rejects.toBe(down);
});

test('without a platform there is nothing', async () => {
  expect(await itemsOf([])).toEqual([]);
});
