import type { Client } from 'pg';

/** The state of a session of the server. */
interface WaitingSession {
  /** What its statement waits for, for example `SyncRep`; empty if it runs; undefined if it has no statement, or ended. */
  readonly waitsFor: string | undefined;
  /** The time of the database. */
  readonly atMs: number;
}

/** Finds out what the statement of another session waits for. A lock counts as what its holder waits for. */
export async function whyWaiting(client: Client, pid: number): Promise<WaitingSession> {
  const { rows } = await client.query<{ readonly waits_for: string | null; readonly at_ms: number }>(
    `select now_ms() as at_ms, (
      select coalesce(holder.wait_event, its.wait_event, '') from pg_stat_activity as its
        left join pg_stat_activity as holder on holder.pid = any (pg_blocking_pids(its.pid)) and holder.state = 'active'
      where its.pid = $1 and its.state = 'active' limit 1
    ) as waits_for`,
    [pid],
  );
  const [row] = rows;
  if (!row) throw new Error('the server did not describe its session');
  return { waitsFor: row.waits_for ?? undefined, atMs: row.at_ms };
}
