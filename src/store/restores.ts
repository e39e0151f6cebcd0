import { sql, type Kysely, type Transaction } from 'kysely';
import type { Clock } from '#src/clock.ts';
import type { Firing } from '#src/rules/firing.ts';
import { prepared } from './prepared.ts';
import { inTransaction } from './transaction.ts';
import type { Tables } from './tables.ts';

/** How long after the first start a decision may repeat a sent one. It is longer than the usual `settle`. */
const DOUBTFUL_MS = 15 * 60_000;

/** What a state knows of its restores. */
export interface Restores {
  /** Records that this state is a copy. Resolves with the last instant that the copy knows. */
  note(): Promise<Date>;
  /** Whether the state has tokens of accounts. */
  hasTokens(): Promise<boolean>;
  /** Begins the period in which Fanfare searches before it sends; undefined without a restore. */
  begin(): Promise<{ readonly copiedAt: Date; readonly until: Date } | undefined>;
}

/** The restores in the database. */
export function createRestores(db: Kysely<Tables>, clock: Clock): Restores {
  return {
    note: async () => (await inTransaction(db, (trx) => noteRestored(trx, { nowMs: clock.nowMs() }))).copiedAt,

    async hasTokens() {
      return (await db.selectFrom('sealed_token').select('account').limit(1).executeTakeFirst()) !== undefined;
    },

    async begin() {
      const untilMs = clock.nowMs() + DOUBTFUL_MS;
      await db.updateTable('restored').set({ until_ms: untilMs }).where('until_ms', 'is', null).execute();
      const row = await db.selectFrom('restored').select(['copied_ms', 'until_ms']).where('until_ms', '=', untilMs).executeTakeFirst();
      return row && { copiedAt: new Date(row.copied_ms), until: new Date(untilMs) };
    },
  };
}

/** Records that a state is a copy. If Fanfare is running, the period of the search begins at once. */
export async function noteRestored(
  trx: Transaction<Tables>,
  { nowMs, isRunning = false }: { readonly nowMs: number; readonly isRunning?: boolean },
): Promise<{ readonly copiedAt: Date; readonly until: Date | undefined }> {
  const copiedMs = await lastKnownMs(trx);
  const untilMs = isRunning ? nowMs + DOUBTFUL_MS : null;
  await trx.insertInto('restored').values({ at_ms: nowMs, copied_ms: copiedMs, until_ms: untilMs }).execute();
  // A delivery that was due at the time of the copy may have been sent right after it.
  await trx
    .updateTable('delivery')
    .set({ search_ms: copiedMs, lost_ms: null })
    .where('state', '=', 'pending')
    .where('creates', '=', 1)
    .execute();
  return { copiedAt: new Date(copiedMs), until: untilMs === null ? undefined : new Date(untilMs) };
}

const findRestore = prepared((db, { nowMs }: { readonly nowMs: number }) =>
  db
    .selectFrom('restored')
    .select(['at_ms', 'copied_ms'])
    .where((eb) => eb.or([eb('until_ms', '>', nowMs), eb('until_ms', 'is', null)]))
    .orderBy('copied_ms')
    .limit(1),
);

/** The time from which the lost state may have created a record of a firing; null if it cannot have. */
export async function searchSinceMs(trx: Transaction<Tables>, { atMs, scope }: Firing, nowMs: number): Promise<number | null> {
  const [row] = (await findRestore(trx, { nowMs })).rows;
  if (!row) return null;
  return beginMs({ atMs, scope }) > row.at_ms ? null : row.copied_ms;
}

/** The earliest time at which a state could decide a firing: the start of its item, or the slot of a rule that watches nothing. */
function beginMs({ atMs, scope: { item, items } }: Pick<Firing, 'atMs' | 'scope'>): number {
  const startedAt = item?.['startedAt'];
  if (typeof startedAt === 'string') return Date.parse(startedAt);
  // A list may have had the same changes before the restore.
  return item === undefined && items === undefined ? atMs : -Infinity;
}

/** The last instant that the state knows. */
async function lastKnownMs(trx: Transaction<Tables>): Promise<number> {
  const { rows } = await sql<{ readonly ms: number | null }>`
    select max(ms) as ms from (
      select max(slot_ms) as ms from rule_state union all select max(created_ms) from delivery union all select max(sent_ms) from delivery
    ) as latest`.execute(trx);
  return rows[0]?.ms ?? 0;
}
