import { sql, type Kysely } from 'kysely';
import type { Client } from 'pg';
import type { Log } from '#src/log.ts';
import { noteRestored } from '#src/store/restores.ts';
import type { Tables } from '#src/store/tables.ts';
import { inTransaction } from '#src/store/transaction.ts';
import { asShared } from './shared-tables.ts';
import { DatabaseUnavailable } from './database-error.ts';

/** The position of a server in its history of commits. */
interface Position {
  /** The server and its timeline. A promoted replica and a restored backup have another one. */
  readonly timeline: string;
  /** The number of bytes that are durable. It only decreases if an older copy of the files replaces the files. */
  readonly bytes: number;
  /** The time of the database. */
  readonly atMs: number;
}

/** Notices that the database lacks commits that Fanfare may know. */
export interface Timeline {
  /** Checks a new connection. If commits are missing, notes a restore before any other statement runs. */
  readonly check: (db: Kysely<Tables>) => Promise<void>;
  /** Keeps the position that the database has now. */
  follow(client: Client): Promise<void>;
}

/** Follows the timeline of a database. `isRunning`: whether this process sends, so that the search begins at once. */
export function followTimeline(log: Log, { isRunning = true }: { readonly isRunning?: boolean } = {}): Timeline {
  let last: Position | undefined;

  async function check(db: Kysely<Tables>): Promise<void> {
    // The probe can store a later position than the position below.
    const known = last;
    const position = await readPosition(db).catch((error: unknown) => {
      if (error instanceof DatabaseUnavailable) throw error;
      log.debug({ error }, 'the server does not report its timeline, so Fanfare cannot detect lost commits');
    });
    if (!position) return;
    if (!(await isContinued(db, position, known))) {
      const restored = await inTransaction(db, async (trx) => {
        const cluster = asShared(trx);
        // Of processes that connect at once, one notes the restore.
        await sql`lock table timeline in exclusive mode`.execute(trx);
        if (await isContinued(trx, position, known)) return undefined;
        const isKnown = (await cluster.selectFrom('timeline').select('name').executeTakeFirst()) !== undefined;
        await storeTimeline(trx, position.timeline);
        return isKnown ? noteRestored(trx, { nowMs: position.atMs, isRunning }) : undefined;
      });
      if (restored)
        log.error(
          restored,
          'the database lacks its last commits, after a failover or a restore: before Fanfare sends anything, it searches the platforms for posts that the database does not have',
        );
    }
    if (last === known) last = position;
  }

  return {
    check,

    async follow(client) {
      // Without a first position, the server does not report any.
      if (!last) return;
      const { rows } = await client.query<Position>(POSITION);
      const [position] = rows;
      if (position && position.timeline === last.timeline && position.bytes >= last.bytes) last = position;
    },
  };
}

/** Stores the timeline of the database, so that its next process does not take the state for a copy. */
export async function keepTimeline(db: Kysely<Tables>): Promise<void> {
  await storeTimeline(db, (await readPosition(db)).timeline);
}

async function storeTimeline(db: Kysely<Tables>, name: string): Promise<void> {
  await asShared(db).deleteFrom('timeline').execute();
  await asShared(db).insertInto('timeline').values({ name }).execute();
}

const POSITION = `
  select system_identifier || '/' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline,
    pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::float8 as bytes, now_ms() as "atMs"
  from pg_control_system()`;

/** Whether the database has all commits up to the last position that this process knows. */
async function isContinued(db: Kysely<Tables>, { timeline, bytes }: Position, last: Position | undefined): Promise<boolean> {
  const { name, restored_ms } = await asShared(db)
    .selectNoFrom((eb) => [
      eb.selectFrom('timeline').select('name').as('name'),
      eb
        .selectFrom('restored')
        .select(({ fn }) => fn.max('at_ms').as('at_ms'))
        .as('restored_ms'),
    ])
    .executeTakeFirstOrThrow();
  if (name !== timeline) return false;
  // Another process may have noted it first.
  return last === undefined || bytes >= last.bytes || (restored_ms ?? 0) > last.atMs;
}

async function readPosition(db: Kysely<Tables>): Promise<Position> {
  const { rows } = await sql<Position>`${sql.raw(POSITION)}`.execute(db);
  const [position] = rows;
  if (!position) throw new Error('the server does not report its timeline');
  return position;
}
