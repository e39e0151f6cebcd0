import { expect, test } from 'vitest';
import { NOW } from '../../support/view-records.ts';
import { differencesFrom, operationOf } from './answer-checks.ts';
import { openApi } from './open-api.ts';

const PATH = '/api/accounts/x%20club/usage';

test('the use of an account is listed by day, as documented', async () => {
  const { get, store } = await openApi();
  const hourMs = NOW.getTime() - (NOW.getTime() % 3_600_000);
  await store.accountUsage.note([
    { account: 'x club', hourMs: hourMs - 86_400_000, spentUsd: 1, leastLeftRatio: 0.25 },
    { account: 'x club', hourMs, spentUsd: 1.5 },
    { account: 'other', hourMs, spentUsd: 9 },
  ]);

  const answer = await get(PATH);

  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  expect(answer).toMatchObject({
    status: 200,
    json: {
      items: [
        { day: day(hourMs - 86_400_000), leastLeftRatio: 0.25 },
        { day: day(hourMs), spentUsd: 0.5 },
      ],
    },
  });
  expect(differencesFrom(operationOf('get', '/api/accounts/{account}/usage'), answer)).toEqual([]);
  expect((await get(PATH, { 'If-None-Match': String(answer.headers['etag']) })).status).toBe(304);
});

test('an account without records has no days, and the list has no parameters', async () => {
  const { get } = await openApi();

  expect((await get(PATH)).json).toEqual({ items: [] });
  expect(await get(`${PATH}?days=7`)).toMatchObject({ status: 400, json: { code: 'invalidParameter', parameter: 'days' } });
});
