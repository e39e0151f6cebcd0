import { setImmediate as nextLoop } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import type { Clock } from '#src/clock.ts';
import { chunks } from './columns.ts';
import { prepared } from './prepared.ts';
import type { Tables } from './tables.ts';

const MAX_AGE_MS = 8 * 24 * 3_600_000;
/** The overhead of a row. */
const ROW_BYTES = 100;
/** The number of rows in one statement, so that no other work waits long. */
const CHUNK = 200;

export interface PollRetention {
  /** Counts new rows and deletes old ones. */
  prune(written: readonly { readonly query: string; readonly body: Uint8Array }[]): Promise<void>;
}

export interface PollRetentionOptions {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  /** The limit for all recordings together. */
  readonly maxBytes: number;
}

/** Keeps recordings for eight days within `maxBytes`. Above the limit, the query with the most bytes loses its oldest rows. */
export function createPollRetention({ db, clock, maxBytes }: PollRetentionOptions): PollRetention {
  /** The bytes per query; unknown at the start and after a failed statement. */
  let known: Map<string, number> | undefined;
  return {
    async prune(written) {
      const sizes = known ?? (await readSizes(db));
      if (known) for (const { query, body } of written) grow(sizes, query, ROW_BYTES + body.length);
      known = undefined;
      await dropOld(db, { beforeMs: clock.nowMs() - MAX_AGE_MS, sizes });
      await dropSurplus(db, { maxBytes, sizes });
      known = sizes;
    },
  };
}

async function readSizes(db: Kysely<Tables>): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('recorded_poll')
    .select(['query', sql<number>`sum(length(body) + ${sql.lit(ROW_BYTES)})`.as('bytes')])
    .groupBy('query')
    .execute();
  return new Map(rows.map(({ query, bytes }) => [query, bytes]));
}

interface Bounds {
  readonly sizes: Map<string, number>;
}

/** Deletes recordings that are too old, even if no rule records any longer. */
export async function dropOldRecordings(db: Kysely<Tables>, nowMs: number): Promise<void> {
  for (let isDone = false; !isDone; await nextLoop())
    isDone = (await dropOld(db, { beforeMs: nowMs - MAX_AGE_MS, sizes: new Map() })) < CHUNK;
}

/** Deletes some of the rows that are too old. Rows are almost in the order of their slots. Resolves with their number. */
async function dropOld(db: Kysely<Tables>, { beforeMs, sizes }: Bounds & { readonly beforeMs: number }): Promise<number> {
  const { rows } = await findOld(db, { beforeMs });
  await drop(db, rows, sizes);
  return rows.length;
}

const findOld = prepared((db, { beforeMs }: { readonly beforeMs: number }) =>
  db.selectFrom(sized(db).orderBy('seq').limit(CHUNK).as('oldest')).selectAll().where('slot_ms', '<', beforeMs),
);

/** Deletes the oldest rows of the largest query until the limit holds. */
async function dropSurplus(db: Kysely<Tables>, { maxBytes, sizes }: Bounds & { readonly maxBytes: number }): Promise<void> {
  const total = (): number => sizes.values().reduce((sum, bytes) => sum + bytes, 0);
  for (let surplus = total() - maxBytes; surplus > 0; surplus = total() - maxBytes) {
    const [largest] = [...sizes].reduce((most, one) => (one[1] > most[1] ? one : most));
    const oldest = await sized(db).where('query', '=', largest).orderBy('slot_ms').orderBy('seq').limit(CHUNK).execute();
    if (oldest.length === 0) sizes.delete(largest);
    let freed = 0;
    await drop(
      db,
      oldest.filter(({ bytes }) => (freed += bytes) - bytes < surplus),
      sizes,
    );
  }
}

function sized(db: Kysely<Tables>) {
  return db.selectFrom('recorded_poll').select(['seq', 'query', 'slot_ms', sql<number>`length(body) + ${sql.lit(ROW_BYTES)}`.as('bytes')]);
}

async function drop(
  db: Kysely<Tables>,
  rows: readonly { readonly seq: number; readonly query: string; readonly bytes: number }[],
  sizes: Map<string, number>,
): Promise<void> {
  for (const part of chunks(rows)) {
    const seqs = part.map(({ seq }) => seq);
    await db.deleteFrom('recorded_poll').where('seq', 'in', seqs).execute();
  }
  for (const { query, bytes } of rows) grow(sizes, query, -bytes);
}

function grow(sizes: Map<string, number>, query: string, bytes: number): void {
  const now = (sizes.get(query) ?? 0) + bytes;
  if (now > 0) sizes.set(query, now);
  else sizes.delete(query);
}
