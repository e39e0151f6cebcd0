import { setImmediate as nextLoop } from 'node:timers/promises';
import { sql, type Kysely, type SqlBool } from 'kysely';
import { REPEATED_WITHIN_MS } from '#src/admin/actions/repeated-requests.ts';
import { REMEMBERED_MS } from '#src/rules/evaluate/transitions/apply-transitions.ts';
import type { Clock } from '#src/clock.ts';
import { lateModule, wantsLate } from '#src/errors.ts';
import { dropUsage } from './account-usage.ts';
import type * as DropExpired from './drop-expired.ts';
import { dropActions } from './audit-log.ts';
import { createClockDoubt } from './clock-doubt.ts';
import { chunks } from './columns.ts';
import { isOpen } from './delivery-needs.ts';
import { indexWords, INDEXED_AT_ONCE } from './index-words.ts';
import { dropOldNames, indexNames, NAMED_AT_ONCE } from './name-index.ts';
import { dropSources } from './list-sources.ts';
import { dropListChanges } from './lists.ts';
import { KEPT_FOR_RESEND_MS } from './posts.ts';
import { endOf } from './delivery-row.ts';
import { prepared, preparedDelete, type OldRows } from './prepared.ts';
import { dropRequests } from './repeated-requests.ts';
import { createRetiredRules } from './retired-rules.ts';
import { dropReceived, forgetItems } from './received-webhooks.ts';
import { dropTotals, moveToTotals } from './totals-log.ts';
import type { Tables } from './tables.ts';

const EVERY_MS = 60_000;
const EXPIRED_EVERY_MS = 60 * 60_000;
let expired: Pick<typeof DropExpired, 'createDropExpired'> | undefined;
const loadExpired = lateModule('the retention of expired rows', async () => (expired = await import('./drop-expired.ts')));
/** Retention period for superseded rows. */
const FRESH_MS = 10 * 60_000;
/** Rows that became old within this period are examined in every round, and older rows in turn. */
const RECENT_MS = 60 * 60_000;
/** Retention period for settled deliveries. */
const HISTORY_MS = 90 * 24 * 60 * 60_000;
/** Retention period for the totals of episodes. */
const TOTALS_MS = 400 * 24 * 60 * 60_000;
/** Retention period for the keys of webhooks, which a sender may repeat. */
const RECEIVED_MS = 400 * 24 * 60 * 60_000;
/** Retention period for the payloads of webhooks, as for recorded polls. */
const PAYLOADS_MS = 8 * 24 * 60 * 60_000;
/** Retention period for the use of accounts: 30 days are shown, and the day before them is the start of the first one. */
const USAGE_MS = 32 * 24 * 60 * 60_000;
/** Retention period for the log of actions, and for the changes of lists. */
const ACTIONS_MS = 2 * 365 * 24 * 60 * 60_000;
/** The number of rows in one statement, so that no other work waits long. */
const CHUNK = 100;
/** The number of statements of a kind in one round. The next round continues. */
const MAX_CHUNKS = 25;
/** The number of statements in one round over rows that were examined before. */
const MAX_CHUNKS_AGAIN = 10;

export interface PrunerOptions {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  /** Runs a round, unless another process runs one. */
  readonly alone: (round: () => Promise<void>) => Promise<void>;
}

/** Creates the pruning of old rows, and of what the index of words has of them. It runs once a minute, and more often while rows are left. */
export function createPruner({ db, clock, alone }: PrunerOptions): () => Promise<void> {
  const dropRepeats = createSweep(
    (range) => dropRepeatsIn(db, range),
    async (range) => (await lastOfRepeats(db, range)).rows[0]?.at_ms,
  );
  const dropEmpty = createSweep(
    (range) => dropEmptyIn(db, range),
    async (range) => (await lastOfEmpty(db, range)).rows[0]?.at_ms,
  );
  const dropRetired = createRetiredRules(db, CHUNK);
  const isDoubtful = createClockDoubt(db);
  let nextMs = 0;
  // The first round is part of the start.
  let expiredMs = clock.nowMs() - EXPIRED_EVERY_MS + EVERY_MS;
  let dropExpired: ((nowMs: number) => Promise<void>) | undefined;
  wantsLate(loadExpired);
  const runRound = async (nowMs: number): Promise<void> => {
    const isDone = [
      await dropRepeats(nowMs - FRESH_MS),
      await dropEmpty(nowMs - FRESH_MS),
      await repeated(() => dropScopes(db, nowMs)),
      await repeated(() => dropRetired(nowMs)),
      await repeated(() => dropHistory(db, { beforeMs: nowMs - HISTORY_MS })),
      await repeated(() => dropPosts(db, { beforeMs: nowMs - HISTORY_MS })),
      await repeated(() => dropActions(db, { beforeMs: nowMs - ACTIONS_MS, limit: CHUNK })),
      await repeated(() => dropListChanges(db, { beforeMs: nowMs - ACTIONS_MS, limit: CHUNK })),
      await repeated(() => dropSources(db, { beforeMs: nowMs - HISTORY_MS })),
      await repeated(() => dropUsage(db, { beforeMs: nowMs - USAGE_MS, limit: CHUNK })),
      await repeated(() => dropRequests(db, { beforeMs: nowMs - REPEATED_WITHIN_MS, limit: CHUNK })),
      await repeated(() => dropReceived(db, { beforeMs: nowMs - RECEIVED_MS, limit: CHUNK })),
      await repeated(() => forgetItems(db, { beforeMs: nowMs - PAYLOADS_MS, limit: CHUNK })),
      await repeated(() => moveToTotals(db, { beforeMs: nowMs - REMEMBERED_MS, limit: CHUNK })),
      await repeated(() => dropTotals(db, { beforeMs: nowMs - TOTALS_MS, limit: CHUNK })),
      await repeated(() => indexWords(db), INDEXED_AT_ONCE),
      await repeated(() => indexNames(db, nowMs), NAMED_AT_ONCE),
      await repeated(() => dropOldNames(db, { nowMs, limit: CHUNK }), CHUNK),
    ].every(Boolean);
    if (Math.abs(nowMs - expiredMs) >= EXPIRED_EVERY_MS) {
      // Neither a commit nor a test clock waits until the module is loaded: a later round uses it.
      if (expired) {
        expiredMs = nowMs;
        dropExpired ??= expired.createDropExpired(db);
        await dropExpired(nowMs);
      } else void loadExpired().catch(() => undefined);
    }
    // Rows arrive faster than one round deletes them, so the next round follows at once.
    if (!isDone) nextMs = nowMs;
  };
  return async () => {
    const nowMs = clock.nowMs();
    if (nowMs < nextMs && nextMs - nowMs <= EVERY_MS) return;
    nextMs = nowMs + EVERY_MS;
    if (await isDoubtful(nowMs)) return;
    await alone(() => runRound(nowMs));
  };
}

/** Works chunk by chunk; false if rows may be left. */
async function repeated(workOnChunk: () => Promise<number>, size = CHUNK): Promise<boolean> {
  for (let chunk = 0; chunk < MAX_CHUNKS; chunk++) {
    if ((await workOnChunk()) < size) return true;
    await nextLoop();
  }
  return false;
}

/** Rows from an instant until before another one. */
interface TimeRange {
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * Creates a sweep over rows in the order of time. A round examines the recent rows, and continues with some older ones, because a row
 * that has to stay would otherwise be examined in every round for months.
 *
 * `endOf` finds the instant of the last row of a chunk; undefined if the range has fewer rows.
 */
function createSweep(
  drop: (range: TimeRange) => Promise<unknown>,
  endOf: (range: TimeRange) => Promise<number | undefined>,
): (beforeMs: number) => Promise<boolean> {
  let recentMs: number | undefined;
  let olderMs = 0;

  /** Examines at most so many chunks. Resolves with the instant where it stopped. */
  async function sweep({ fromMs, untilMs }: TimeRange, mostChunks: number): Promise<number> {
    let doneMs = fromMs;
    for (let chunk = 0; chunk < mostChunks && doneMs < untilMs; chunk++) {
      const endMs = await endOf({ fromMs: doneMs, untilMs });
      const range = { fromMs: doneMs, untilMs: endMs === undefined ? untilMs : endMs + 1 };
      await drop(range);
      doneMs = range.untilMs;
      await nextLoop();
    }
    return doneMs;
  }

  return async (beforeMs) => {
    const fromMs = Math.min(recentMs ?? Infinity, beforeMs - RECENT_MS);
    const sweptMs = await sweep({ fromMs, untilMs: beforeMs }, MAX_CHUNKS);
    recentMs = sweptMs < beforeMs ? sweptMs : undefined;
    olderMs = await sweep({ fromMs: olderMs, untilMs: fromMs }, MAX_CHUNKS_AGAIN);
    if (olderMs >= fromMs) olderMs = 0;
    return recentMs === undefined;
  };
}

/** Deletes superseded edits of `while` steps that no open delivery reads. The next edit is compared with the last effective one only. */
const dropRepeatsIn = prepared((db, { fromMs, untilMs }: TimeRange) => {
  const useless = db
    .selectFrom('delivery as old')
    .select('old.id')
    .where(sql<SqlBool>`old.section = 'while'`)
    .where('old.created_ms', '>=', fromMs)
    .where('old.created_ms', '<', untilMs)
    .where('old.state', 'in', ['sent', 'failed', 'skipped'])
    // A post of a step with every stays in the history.
    .where((eb) => eb.or([eb('old.creates', '=', 0), eb('old.state', '=', 'skipped')]))
    .where((eb) => {
      const dependents = eb.selectFrom('need').innerJoin('delivery as dependent', 'dependent.id', 'need.delivery').select('need.delivery');
      return eb.not(eb.exists(dependents.whereRef('need.needed', '=', 'old.id').where(isOpen('dependent'))));
    })
    .where((eb) => {
      const later = eb
        .selectFrom('delivery as later')
        .select('later.seq')
        .whereRef('later.rule', '=', 'old.rule')
        .whereRef('later.episode', '=', 'old.episode')
        .whereRef('later.section', '=', 'old.section')
        .whereRef('later.step', '=', 'old.step')
        .whereRef('later.element', '=', 'old.element')
        .whereRef('later.account', '=', 'old.account')
        .whereRef('later.seq', '>', 'old.seq')
        .where((its) => its.or([its('later.since_ms', 'is not', null), its('later.even_if_unchanged', '=', 1)]));
      return eb.or([eb.and([eb('old.since_ms', 'is', null), eb('old.even_if_unchanged', '=', 0)]), eb.exists(later)]);
    });
  return db.deleteFrom('delivery').where('id', 'in', useless);
});

const lastOfRepeats = prepared((db, { fromMs, untilMs }: TimeRange) => {
  const rows = db
    .selectFrom('delivery')
    .select('created_ms as at_ms')
    .where(sql<SqlBool>`section = 'while'`);
  const inRange = rows.where('created_ms', '>=', fromMs).where('created_ms', '<', untilMs);
  return inRange
    .orderBy('created_ms')
    .offset(CHUNK - 1)
    .limit(1);
});

/** Deletes firings of `while` without deliveries. */
const dropEmptyIn = prepared((db, { fromMs, untilMs }: TimeRange) => {
  const empty = db
    .selectFrom('firing')
    .select('firing.id')
    .where(sql<SqlBool>`firing.section = 'while'`)
    .where('firing.at_ms', '>=', fromMs)
    .where('firing.at_ms', '<', untilMs)
    .where((eb) => eb.not(eb.exists(eb.selectFrom('delivery').select('delivery.seq').whereRef('delivery.firing', '=', 'firing.id'))));
  return db.deleteFrom('firing').where('id', 'in', empty);
});

const lastOfEmpty = prepared((db, { fromMs, untilMs }: TimeRange) => {
  const rows = db
    .selectFrom('firing')
    .select('at_ms')
    .where(sql<SqlBool>`section = 'while'`);
  const inRange = rows.where('at_ms', '>=', fromMs).where('at_ms', '<', untilMs);
  return inRange
    .orderBy('at_ms')
    .offset(CHUNK - 1)
    .limit(1);
});

/** Deletes the stored scope of firings whose steps are all rendered. A failed step can be sent again for some days. */
async function dropScopes(db: Kysely<Tables>, nowMs: number): Promise<number> {
  const times = { beforeMs: nowMs - FRESH_MS, resentMs: nowMs - KEPT_FOR_RESEND_MS };
  const rendered = (await findRendered(db, times)).rows.map(({ id }) => id);
  for (const ids of chunks(rendered)) {
    await db
      .updateTable('delivery')
      .set({ element_value: null })
      .where('firing', 'in', ids)
      .where('element_value', 'is not', null)
      .execute();
    await db.updateTable('firing').set({ scope: null }).where('id', 'in', ids).execute();
  }
  return rendered.length;
}

type Before = Pick<OldRows, 'beforeMs'>;

const findRendered = prepared((db, { beforeMs, resentMs }: Before & { readonly resentMs: number }) =>
  firingsAtRest(db, beforeMs)
    .where('firing.scope', 'is not', null)
    .where((eb) => {
      const its = eb.selectFrom('delivery').select('delivery.seq').whereRef('delivery.firing', '=', 'firing.id');
      return eb.not(eb.exists(its.where('delivery.state', '=', 'failed').where(endOf('delivery'), '>=', resentMs)));
    }),
);

/** Deletes settled firings of the past. Deliveries of a remembered episode stay, because the episode may continue. */
const dropHistory = preparedDelete((db, { beforeMs }: Before) => {
  const past = firingsAtRest(db, beforeMs).where((eb) => {
    const episode = eb.selectFrom('episode').select('episode.id').whereRef('episode.rule', '=', 'firing.rule');
    return eb.not(eb.exists(episode.whereRef('episode.id', '=', 'firing.episode')));
  });
  return db.deleteFrom('firing').where('id', 'in', past);
});

const dropPosts = preparedDelete((db, { beforeMs }: Before) =>
  db.deleteFrom('post').where('id', 'in', db.selectFrom('post').select('id').where('at_ms', '<', beforeMs).limit(CHUNK)),
);

/** Firings before an instant whose deliveries are all settled. An unknown delivery stays until a person resolves it. */
function firingsAtRest(db: Kysely<Tables>, beforeMs: number) {
  return db
    .selectFrom('firing')
    .select('firing.id')
    .where('firing.at_ms', '<', beforeMs)
    .where((eb) => {
      const its = eb.selectFrom('delivery').select('delivery.seq').whereRef('delivery.firing', '=', 'firing.id');
      return eb.not(eb.exists(its.where('delivery.state', 'in', ['pending', 'sending', 'asked', 'unknown'])));
    })
    .limit(CHUNK);
}
