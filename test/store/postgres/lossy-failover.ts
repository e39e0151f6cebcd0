import { expect } from 'vitest';
import pg from 'pg';
import { systemClock } from '#src/clock.ts';
import { createDeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import type { Search } from '#src/engine/delivery/attempt.ts';
import { createLog, silentLog } from '#src/log.ts';
import { mentions } from '#src/clients/operation/find-lost.ts';
import type { Firing } from '#src/rules/firing.ts';
import { openCluster, type Cluster } from '#src/store/postgres/cluster.ts';
import { FakePlatform } from '../../support/fake-platform.ts';
import { committing, creating, firing, keysOf, renderPlainly } from '../../support/firings.ts';
import type { TestPostgres } from '../../support/postgres.ts';
import { watchProbe } from './watch-probe.ts';

/** A process on the database, with the errors that it logged. */
export async function openLogging({ url }: TestPostgres, schema: string, worker = 'one') {
  const errors: string[] = [];
  const log = createLog({ level: 'error', secrets: [], write: (line) => errors.push(line), color: false });
  const ignore = (): void => undefined;
  const { probed, health } = watchProbe({ accepted: ignore, blocked: ignore, lost: ignore, failed: ignore });
  return { cluster: await openCluster({ url, schema, worker, role: 'all', health, log }), errors, probed };
}

/** An announcement of a stream, decided in a separate slot. */
export function announcing({ clock }: Cluster, name: string, number: number): Firing {
  const atMs = clock.nowMs();
  const item = { url: `https://twitch.tv/${name}`, startedAt: '2026-11-20T17:00:00.000Z', owner: { displayName: name } };
  const card = creating(['discord'], { id: 'card', do: 'discord.send', with: { content: `${name} is live (${number} viewers)` } });
  const scope = { rule: { id: 'live' }, now: new Date(atMs).toISOString(), item };
  return firing([card], { rule: `live-${name}`, episode: `${name}@${number}`, atMs, scope });
}

/** Commits a firing, and repeats the commit if a connection broke. */
export async function commit({ store }: Cluster, fired: Firing): Promise<void> {
  const commitOnce = async (): Promise<string> => {
    await store.ruleStates.commit(committing([fired], { rule: fired.rule, slotMs: fired.atMs }));
    return 'committed';
  };
  await expect.poll(() => commitOnce().catch(String)).toBe('committed');
}

/** The restores in a schema. */
export async function restoresIn({ url }: TestPostgres, schema: string): Promise<readonly unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<object>(`select until_ms - at_ms as period_ms from ${schema}.restored`);
  await client.end();
  return rows;
}

/**
 * Announces a stream, loses the commit of it with `lose`, and announces the stream again, as the rule does that sees it as new. Resolves with
 * the records on the platform.
 */
export async function announceTwice(cluster: Cluster, postgres: TestPostgres, lose: () => Promise<void>): Promise<FakePlatform['records']> {
  const { store, lanes, clock } = cluster;
  const platform = new FakePlatform(systemClock, { finds: 'key' });
  const search: Search = async ({ about, taken }) => {
    const found = platform.records.find(({ id, params }) => !taken.has(id) && about.length > 0 && mentions(params, about));
    return found ? { found: { id: found.id } } : 'absent';
  };
  const { perform, recover } = platform;
  const engine = createDeliveryEngine({
    deliveries: store.deliveries,
    lanes,
    perform,
    recover,
    search,
    render: renderPlainly,
    clock,
    log: silentLog,
  });
  const stop = new AbortController();
  const running = Promise.all([engine.run(stop.signal), cluster.run(stop.signal)]);
  const stateOf = (fired: Firing) => async () => (await store.deliveries.find(keysOf(fired)[0] ?? '').catch(() => undefined))?.state;
  await commit(cluster, announcing(cluster, 'grace', 1));
  await expect.poll(() => platform.records.length).toBe(1);
  await postgres.copy();
  const lost = announcing(cluster, 'ada', 1);
  await commit(cluster, lost);
  await expect.poll(stateOf(lost)).toBe('sent');

  await lose();
  const again = announcing(cluster, 'ada', 2);
  await commit(cluster, again);
  await expect.poll(stateOf(again)).toBe('sent');
  stop.abort();
  await running;
  return platform.records;
}
