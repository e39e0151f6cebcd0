import { sql } from 'kysely';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { LaneLease } from '#src/delivery/lane-lease.ts';
import { silentLog } from '#src/log.ts';
import { openCluster, type Cluster } from '#src/store/postgres/cluster.ts';
import { find } from '../../contract/delivery-steps.ts';
import { committing, creating, firing, keysOf } from '../../support/firings.ts';
import { startPostgres } from '../../support/postgres.ts';

const postgres = await startPostgres();
afterAll(() => postgres[Symbol.asyncDispose]());

/** A post through `x`, and one through `y` that shows its result. */
const FIRED = firing([creating(['x'], { id: 'post' }), creating(['y'], { reads: ['post'] })]);
const [POST, DEPENDENT] = keysOf(FIRED);
const SENT = { state: 'sent', result: { id: '1' }, sentAt: new Date(0) } as const;

async function open(): Promise<Cluster> {
  const cluster = await openCluster({ url: postgres.url, schema: postgres.newSchema(), worker: 'one', role: 'all', log: silentLog });
  onTestFinished(() => cluster[Symbol.asyncDispose]());
  await cluster.store.ruleStates.commit(committing([FIRED]));
  return cluster;
}

/** Takes the lane of `x` for a time. */
async function take({ store }: Cluster, token: number, forMs = 60_000): Promise<LaneLease> {
  await sql`insert into lane (account, holder, since_ms, until_ms, token) values ('x', 'one', now_ms(), now_ms() + ${forMs}, ${token})
    on conflict (account) do update set token = excluded.token, until_ms = excluded.until_ms`.execute(store.db);
  return { account: 'x', token, signal: new AbortController().signal, assertHeld: () => undefined };
}

test('only the holder of a lane changes its deliveries', async () => {
  const cluster = await open();
  const { deliveries } = cluster.store;
  const before = await take(cluster, 1);
  const lease = await take(cluster, 2);
  const pending = await find(cluster.store, POST);

  expect(await deliveries.change(pending, { state: 'sending' }, { lease: before })).toBeUndefined();
  const begun = await deliveries.change(pending, { state: 'sending' }, { lease });
  expect(begun).toMatchObject({ id: POST, state: 'sending' });
  expect(await deliveries.change(pending, { state: 'sending' }, { lease })).toBeUndefined();

  await take(cluster, 2, -1);
  expect(await deliveries.change(begun ?? pending, SENT, { lease })).toBeUndefined();
  expect(await find(cluster.store, POST)).toMatchObject({ state: 'sending' });
});

test('the end of a delivery announces the accounts that waited for it', async () => {
  const cluster = await open();
  const { deliveries } = cluster.store;
  const lease = await take(cluster, 1);
  const announced: string[] = [];
  cluster.notifications.subscribe((message) => message.kind === 'lane' && announced.push(message.account));

  const begun = await deliveries.change(await find(cluster.store, POST), { state: 'sending' }, { lease });
  expect(announced).toEqual([]);
  await deliveries.change(begun ?? (await find(cluster.store, POST)), SENT, { lease });
  expect(announced).toEqual(['y']);
  expect((await deliveries.due('y', { nowMs: cluster.clock.nowMs(), limit: 1 })).map(({ id }) => id)).toEqual([DEPENDENT]);
});
