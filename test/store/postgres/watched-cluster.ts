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
