import { sql, type Kysely, type Transaction } from 'kysely';
import type { Clock } from '#src/clock.ts';
import type { Firing } from '#src/rules/firing.ts';
import { prepared } from './prepared.ts';
import { inTransaction } from './transaction.ts';
import type { Tables } from './tables.ts';

/** How long after the first start any decision may repeat a sent one. It is longer than the usual `settle`. */
const DOUBTFUL_MS = 15 * 60_000;

/** The encrypted tokens of an account. */
export interface SealedToken {
  readonly account: string;
  readonly sealed: string;
}

/** What a state knows of its restores. */
export interface Restores {
  /** Records that this state is a copy. Resolves with the last instant that the copy knows. */
  note(): Promise<Date>;
  /** The number of waiting deliveries that Fanfare searches for after a restore. */
  countSearched(): Promise<number>;
  /** The tokens of accounts. */
  sealedTokens(): Promise<readonly SealedToken[]>;
  /** Whether the state has people who may sign in, or tokens of the HTTP API. */
  hasAccess(): Promise<boolean>;
  /** Begins the period in which Fanfare searches before it sends; undefined without a restore. */
  begin(): Promise<{ readonly copiedAt: Date; readonly until: Date } | undefined>;
}

/** The restores in the database. */
export function createRestores(db: Kysely<Tables>, clock: Clock): Restores {
  return {
    note: async () => (await inTransaction(db, (trx) => noteRestored(trx, { nowMs: clock.nowMs() }))).copiedAt,

    async countSearched() {
      const { count } = await db
        .selectFrom('delivery')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('state', '=', 'pending')
        .where('creates', '=', 1)
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    sealedTokens: () => db.selectFrom('sealed_token').select(['account', 'sealed']).execute(),

    async hasAccess() {
      const person = db.selectFrom('person').select('id');
      const token = db.selectFrom('api_token').select('id').where('revoked_ms', 'is', null);
      return (await person.unionAll(token).limit(1).executeTakeFirst()) !== undefined;
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
  // Nothing has run since an earlier note of the same copy.
  await trx.deleteFrom('restored').where('until_ms', 'is', null).where('copied_ms', '=', copiedMs).execute();
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

/** How long after a restore a later poll of a rule may announce what its first one found, for example after `settle`. */
const STARTED_MS = 7 * 24 * 60 * 60_000;

/** A restore whose lost state may have sent what a rule decides now. */
export interface DoubtfulRestore {
  readonly atMs: number;
  readonly copiedMs: number;
  /** Whether any item is in doubt, and not only one that began before the restore. */
  readonly concernsAll: boolean;
}

interface RestoreRow {
  readonly at_ms: number;
  readonly copied_ms: number;
  readonly until_ms: number | null;
  /** The last good poll of the rule. */
  readonly polled_ms: number | null;
}

const findRestores = prepared(
  (_, { rule }: { readonly rule: string }) => sql<RestoreRow>`
    select at_ms, copied_ms, until_ms, (select last_poll_ms from rule_state where rule = ${rule}) as polled_ms
    from restored order by copied_ms`,
);

/** The restores whose lost state may have sent what a rule decides now, the earliest copy first. Call it before the slot is stored. */
export async function doubtfulRestores(trx: Transaction<Tables>, rule: string, nowMs: number): Promise<readonly DoubtfulRestore[]> {
  const { rows } = await findRestores(trx, { rule });
  return rows.flatMap(({ at_ms: atMs, copied_ms: copiedMs, until_ms, polled_ms }) => {
    const isUnpolled = polled_ms !== null && polled_ms <= atMs;
    const concernsAll = until_ms === null || until_ms > nowMs || isUnpolled;
    return concernsAll || atMs > nowMs - STARTED_MS ? [{ atMs, copiedMs, concernsAll }] : [];
  });
}

/** The time from which the lost state may have created a record of a firing; null if it cannot have. */
export function searchSinceMs({ atMs, scope: { item, items } }: Firing, restores: readonly DoubtfulRestore[]): number | null {
  const startedAt = item?.['startedAt'];
  const startedMs = typeof startedAt === 'string' ? Date.parse(startedAt) : undefined;
  // The slot of a rule that watches nothing is its start. A list may have had the same changes before the restore.
  const beginMs = startedMs ?? (item === undefined && items === undefined ? atMs : -Infinity);
  const doubtful = restores.find((restore) => beginMs <= restore.atMs && (restore.concernsAll || startedMs !== undefined));
  return doubtful?.copiedMs ?? null;
}

/** The last instant that the state knows. */
async function lastKnownMs(trx: Transaction<Tables>): Promise<number> {
  const { rows } = await sql<{ readonly ms: number | null }>`
    select max(ms) as ms from (
      select max(slot_ms) as ms from rule_state union all select max(created_ms) from delivery union all select max(sent_ms) from delivery
    ) as latest`.execute(trx);
  return rows[0]?.ms ?? 0;
}
