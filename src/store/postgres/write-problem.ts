import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { connectAlone } from './connect-alone.ts';
import { sqlStateOf } from './database-error.ts';
import type { PoolOptions } from './pool.ts';
import { whyWaiting } from './waiting-session.ts';

/** How long a write may take. */
const WITHIN_MS = 3_000;

/** A commit that leaves nothing behind. The row counts as a process that ended long ago. */
const WRITE = `
  begin;
  insert into worker (id, role, host, schema_version, started_ms, seen_ms, key_fingerprint)
    select 'check ' || gen_random_uuid(), 'check', '', 0, 0, 0, '';
  delete from worker where role = 'check';
  commit`;

/** The code of the reason why a database accepts no writes, see `DatabaseState.code`; undefined: it accepts one now. */
export async function findWriteProblem(options: Omit<PoolOptions, 'maxConnections'>): Promise<string | undefined> {
  const client = await connectAlone(options);
  try {
    const { rows } = await client.query<{ readonly pid: number }>('select pg_backend_pid() as pid');
    const writing = client.query(WRITE).then(
      () => undefined,
      (error: unknown) => sqlStateOf(error) ?? '',
    );
    const late = new AbortController();
    const waiting = sleep(WITHIN_MS, 'late' as const, { signal: late.signal }).catch(() => undefined);
    const answer = await Promise.race([writing, waiting]);
    late.abort();
    return answer === 'late' ? await codeOf(options, rows[0]?.pid ?? 0) : answer;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** What a session waits for. Ends its wait, because the server would keep the session until the commit ends. */
async function codeOf(options: Parameters<typeof findWriteProblem>[0], pid: number): Promise<string> {
  const observer: Client = await connectAlone(options);
  try {
    const { waitsFor } = await whyWaiting(observer, pid);
    await observer.query('select pg_cancel_backend($1)', [pid]);
    return waitsFor ?? '';
  } finally {
    await observer.end().catch(() => undefined);
  }
}
