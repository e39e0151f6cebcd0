import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openPostgresStore } from '#src/store/postgres/open.ts';
import { openEventSub } from '../../../sandbox/test/twitch/eventsub-client.ts';
import { databaseOfStores, openEmptyStore } from '../../support/postgres-stores.ts';
import { installation, watching, type EventSubState } from './eventsub-fixture.ts';

const WAIT = { timeout: 50_000, interval: 10 };

/** Two workers with one database. The first one keeps the subscriptions, the second one is its substitute. */
async function openWorkers() {
  const twitch = await openEventSub();
  onTestFinished(() => twitch[Symbol.asyncDispose]());
  for (const user of ['ada', 'grace']) await twitch.order('/world', { do: 'end', user });
  const first = await openEmptyStore();
  onTestFinished(() => first[Symbol.asyncDispose]());
  const second = await openPostgresStore({ url: (await databaseOfStores()).url, schema: first.schema, maxConnections: 4 });
  onTestFinished(() => second[Symbol.asyncDispose]());
  const rules = [watching('live', ['ada', 'grace'])];
  const holder = installation({ twitch, store: first.notifiers, rules });
  onTestFinished(() => holder[Symbol.asyncDispose]().catch(() => undefined));
  const { conduits } = await holder.subscribed(6);
  const substitute = installation({ twitch, store: second.notifiers, rules });
  onTestFinished(() => substitute[Symbol.asyncDispose]());
  await vi.waitUntil(async () => shardsOf(await holder.state()) === 'enabled enabled', WAIT);
  await vi.waitUntil(() => substitute.hints.length > 0, WAIT);
  expect((await holder.state()).conduits[0]?.id).toBe(conduits[0]?.id);
  return { twitch, holder, substitute, db: first.db, conduit: conduits[0]?.id };
}

const shardsOf = ({ conduits }: EventSubState): string => (conduits[0]?.shards ?? []).map(({ status }) => status).join(' ');

test('two workers share the notifications of a conduit', async () => {
  const { twitch, holder, substitute } = await openWorkers();
  holder.taken();
  substitute.taken();
  await twitch.order('/world', { do: 'goLive', user: 'ada' });
  await twitch.order('/world', { do: 'goLive', user: 'grace' });
  await vi.waitUntil(() => holder.notifications.length + substitute.notifications.length === 2, WAIT);
  expect([holder.notifications, substitute.notifications]).toEqual([['stream.online'], ['stream.online']]);
  expect(holder.hints.length).toBe(1);
  expect(substitute.hints.length).toBe(1);
  expect(await holder.report()).toMatchObject({ state: 'connected', subscriptions: 6 });
});

test('if the first worker ends, no notification is lost, and the other one takes over the conduit', async () => {
  const { twitch, holder, substitute, conduit } = await openWorkers();
  // Twitch reports the lost shard to the other worker, which polls, and sends it the notifications.
  substitute.taken();
  await twitch.order('/twitch/eventsub', { do: 'disconnect', session: (await holder.state()).sessions[0]?.id });
  await vi.waitUntil(() => substitute.taken().includes('all'), WAIT);
  await holder[Symbol.asyncDispose]();
  substitute.taken();
  await twitch.order('/world', { do: 'goLive', user: 'ada' });
  await twitch.order('/world', { do: 'goLive', user: 'grace' });
  await vi.waitUntil(() => substitute.notifications.filter((type) => type === 'stream.online').length === 2, WAIT);

  await vi.waitUntil(async () => (await substitute.report())?.state === 'connected', WAIT);
  await vi.waitUntil(async () => shardsOf(await substitute.state()).startsWith('enabled websocket'), WAIT);
  expect((await substitute.state()).sessions).toHaveLength(1);
  // The shard that nobody holds is removed.
  await substitute.pass(6 * 60_000, 8_000);
  await vi.waitUntil(async () => shardsOf(await substitute.state()) === 'enabled', WAIT);
  const { conduits, subscriptions } = await substitute.state();
  expect(conduits.map(({ id }) => id)).toEqual([conduit]);
  expect(subscriptions.enabled).toBe(7);
  await twitch.order('/world', { do: 'end', user: 'ada' });
  await vi.waitUntil(() => substitute.notifications.includes('stream.offline'), WAIT);
});

test('a worker whose connection to the database ends leaves its place to the other one', async () => {
  const { holder, db } = await openWorkers();
  const before = (await holder.state()).sessions.map(({ id }) => id);
  await sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'`.execute(db);
  await vi.waitUntil(async () => (await holder.state()).sessions.every(({ id }) => !before.includes(id)), WAIT);
  // Each worker waits before it connects again, at a time that only its connection to the database decides.
  await holder.until(async () => shardsOf(await holder.state()) === 'enabled enabled');
  expect((await holder.state()).subscriptions.enabled).toBe(7);
});
