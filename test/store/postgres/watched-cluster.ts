import pg from 'pg';
import { systemClock } from '#src/clock.ts';
import { createLog } from '#src/log.ts';
import { createDatabaseHealth } from '#src/admin/queries/database-health.ts';
import { openCluster } from '#src/store/postgres/cluster.ts';
import type { TestPostgres } from '../../support/postgres.ts';
import { watchProbe } from './watch-probe.ts';

/** A running process, with the health of its database and the lines of its log. */
export async function openWatched(url: string, schema: string) {
  const lines: string[] = [];
  const write = (line: string): void =>
    void lines.push(line.slice(21).split(' code=')[0]?.split(' why=')[0]?.split(' afterMs=')[0]?.trimEnd() ?? '');
  const log = createLog({ level: 'info', secrets: [], write, color: false });
  const health = createDatabaseHealth({ onChange: () => undefined, clock: systemClock, log });
  const { probed, health: watched } = watchProbe(health);
  const cluster = await openCluster({ url, schema, worker: 'one', role: 'all', health: watched, log });
  const stop = new AbortController();
  const running = cluster.run(stop.signal);
  return {
    cluster,
    health,
    lines,
    probed,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
      await cluster[Symbol.asyncDispose]();
    },
  };
}

/** Executes statements as the administrator of the server. */
export async function administer({ url }: TestPostgres, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** Longer than a connection and its statement usually take, and shorter than the probe of the database waits for them. */
const SLOW_MS = 1_000;

/** Runs a test again if it failed while the machine was so slow that the probe may have reported an outage. */
export async function repeatIfSlow({ url }: TestPostgres, work: () => Promise<void>): Promise<void> {
  for (;;) {
    const ended = new AbortController();
    const measuring = slowestConnectionMs(url, ended.signal);
    const [done] = await Promise.allSettled([work()]);
    ended.abort();
    const isSlow = (await measuring) >= SLOW_MS;
    if (done.status === 'fulfilled') return;
    if (!isSlow) throw done.reason;
  }
}

/** Opens connections until `signal` aborts. */
async function slowestConnectionMs(url: string, signal: AbortSignal): Promise<number> {
  let slowestMs = 0;
  while (!signal.aborted) {
    const begunMs = performance.now();
    const client = new pg.Client(url);
    client.on('error', () => undefined);
    // A test can stop the server.
    await client
      .connect()
      .then(() => client.query('select 1'))
      .catch(() => undefined);
    await client.end().catch(() => undefined);
    await systemClock.sleep(100);
    slowestMs = Math.max(slowestMs, performance.now() - begunMs);
  }
  return slowestMs;
}
