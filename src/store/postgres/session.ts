import type { ClientBase, Pool } from 'pg';
import { quoted } from './quoted.ts';

/** The server ends a longer statement. */
export const STATEMENT_MS = 30_000;
/** The server ends the transaction of a process that is frozen or cut off, because other processes wait for its locks. */
const IDLE_IN_TRANSACTION_MS = 10_000;

/** A connection that can only read: to a standby, or to a database that an administrator or a full disk made read-only. */
export class ReadOnlySession extends Error {
  override readonly name = 'ReadOnlySession';
  readonly code = '25006';

  constructor() {
    super('the database only reads');
  }
}

/** A pooler gives the connection of one client to other clients, so that settings, locks and notifications are lost. */
export class SharedSession extends Error {
  override readonly name = 'SharedSession';

  constructor() {
    super('a connection pooler shares the connections');
  }
}

/** With "off", a crash of the server undoes the last commits, and what they sent would be sent again. */
const WITH_SYNC = `set_config('synchronous_commit', coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'local'), false)`;

/** PostgreSQL 17 and newer can end transactions, and a migration takes minutes. */
const WITHOUT_END = `case when current_setting('transaction_timeout', true) is not null then set_config('transaction_timeout', '0', false) end`;

/** Sets up a new connection. A pooler refuses or ignores settings at the start of a connection. Throws if the session can only read. */
export async function setUpSession(client: ClientBase, schema: string): Promise<void> {
  const settings = {
    search_path: quoted(schema),
    // Compilation takes longer than each of these statements.
    jit: 'off',
    idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_MS),
    statement_timeout: String(STATEMENT_MS),
    // The statements and their repeats expect these values, and a role or a database may have others.
    default_transaction_isolation: 'read committed',
    lock_timeout: '0',
    idle_session_timeout: '0',
    tcp_keepalives_idle: '10',
    tcp_keepalives_interval: '5',
    tcp_keepalives_count: '3',
  };
  const changes = Object.keys(settings).map((name, index) => `set_config('${name}', $${index + 1}, false)`);
  const { rows } = await client.query<{ readonly read_only: string }>(
    `select ${[...changes, WITH_SYNC, WITHOUT_END].join(', ')}, current_setting('transaction_read_only') as read_only`,
    Object.values(settings),
  );
  if (rows[0]?.read_only !== 'off') throw new ReadOnlySession();
}

/** Throws `SharedSession` if the sessions of two connections are not separate. */
export async function requireSessions(pool: Pool): Promise<void> {
  const one = await pool.connect();
  try {
    const other = await pool.connect();
    try {
      const seen: (number | undefined)[] = [];
      // A pooler gives each statement the session that was used last, or first. This order shows both.
      for (const client of [one, other, other, one]) seen.push(await sessionOf(client));
      if (seen[0] === seen[3] && seen[1] === seen[2] && seen[0] !== seen[1]) return;
      await resetSessions(one, other);
      throw new SharedSession();
    } finally {
      other.release();
    }
  } finally {
    one.release();
  }
}

async function sessionOf(client: ClientBase): Promise<number | undefined> {
  const { rows } = await client.query<{ readonly pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}

/** The settings of Fanfare must not reach the other users of a pooler. */
async function resetSessions(one: ClientBase, other: ClientBase): Promise<void> {
  try {
    // The transaction keeps one session, so that the other client resets another one.
    await other.query('begin');
    await other.query('reset all');
    await one.query('reset all');
    await other.query('commit');
  } catch {
    // Without transactions, the pooler sets up each session itself.
  }
}
