import { expect, onTestFinished, test, vi } from 'vitest';
import { openPostgresStore } from '#src/store/postgres/open.ts';
import { openEventSub } from '../../../sandbox/test/twitch/eventsub-client.ts';
import { databaseOfStores, openEmptyStore } from '../../support/postgres-stores.ts';
import { installation, watching } from './eventsub-fixture.ts';

const WAIT = { timeout: 20_000, interval: 10 };

test('of two workers on PostgreSQL, one is connected, and the other one takes over its conduit', async () => {
  const twitch = await openEventSub();
  onTestFinished(() => twitch[Symbol.asyncDispose]());
  await using first = await openEmptyStore();
  await using second = await openPostgresStore({ url: (await databaseOfStores()).url, schema: first.schema, maxConnections: 4 });
  const rules = [watching('live', ['ada'])];
  const holder = installation({ twitch, store: first.notifiers, rules });
  const before = await holder.subscribed(3);
  await using waiting = installation({ twitch, store: second.notifiers, rules });
  // The connection of the holder is checked for some time, in which the other worker could take its shard.
  await waiting.pass(30_000);
  expect(await waiting.state()).toEqual(before);
  expect(waiting.hints).toEqual([]);

  await holder[Symbol.asyncDispose]();
  await vi.waitUntil(async () => (await waiting.state()).conduits[0]?.shards[0]?.status === 'enabled' && waiting.hints.length > 0, WAIT);
  const after = await waiting.state();
  expect(after.conduits).toEqual(before.conduits);
  expect(after.sessions).toHaveLength(1);
  expect(after.subscriptions).toEqual(before.subscriptions);
  expect(waiting.taken()).toEqual(['all']);
});
