import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ApiProblem, createApiClient } from '#src/web/client/client.ts';
import { ROUTES, type Operations } from '#src/web/client/operations.ts';
import { describeApi } from '#src/web/api/description.ts';
import { apiClientFiles } from '../../../docs/generator/api-client.ts';
import { openApi } from './open-api.ts';

test('the typed client is current; npm run docs writes it', () => {
  for (const [name, text] of apiClientFiles(describeApi({ hasSandbox: true })))
    expect(readFileSync(join('src/web/client', name), 'utf8')).toBe(text);
});

test('the typed client has every operation that answers JSON', () => {
  const operations = Object.values(describeApi({ hasSandbox: true }).paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  const without = ['exportDeliveries', 'exportList', 'streamEvents', 'getDescription', 'getMetrics', 'takeInteraction', 'receiveWebhook'];

  expect(operations.filter((name) => !(name in ROUTES))).toEqual(without);
});

test('the typed client reads, writes once, and rejects with problems', async () => {
  const { url, store } = await openApi();
  const client = createApiClient({ url });
  const input: Operations['pauseRule']['input'] = { rule: 'games', until: '2126-12-24T18:00:00Z' };

  const paused = await client.call('pauseRule', input, { idempotencyKey: 'k1' });
  const again = await client.call('pauseRule', input, { idempotencyKey: 'k1' });
  const { items } = await client.call('listActions', { limit: 2 });
  const [{ action, target } = {}] = items;

  expect([paused.changed, again]).toEqual([['games/Chess', 'games/Go'], paused]);
  expect({ action, target }).toEqual({ action: 'pauseRule', target: 'games' });
  expect((await store.auditLog.list()).items).toHaveLength(1);
  const failed = await client.call('pauseRule', { rule: 'no rule/?' }).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(ApiProblem);
  expect(failed).toMatchObject({ problem: { status: 404, code: 'ruleNotFound', detail: 'There is no rule no rule/?.' } });
  await expect(client.call('resumeRule', { rule: 'games' }, { ifMatch: '"other"' })).rejects.toMatchObject({ problem: { status: 412 } });
});
