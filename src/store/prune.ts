import { sql, type DeleteResult, type Kysely, type SqlBool } from 'kysely';
import { REMEMBERED_MS } from '#src/rules/evaluate/transitions/apply-transitions.ts';
import type { Clock } from '#src/clock.ts';
import { chunks } from './columns.ts';
import { isOpen } from './delivery-needs.ts';
import type { Tables } from './tables.ts';

const EVERY_MS = 60_000;
/** Retention period for superseded rows. */
const FRESH_MS = 10 * 60_000;
/** Retention period for settled deliveries. */
const HISTORY_MS = 90 * 24 * 60 * 60_000;
/** The number of rows in one statement, so that no other work waits long. */
const CHUNK = 1_000;
/** The number of statements of a kind in one round. The next round continues. */
const MAX_CHUNKS = 10;

export interface PrunerOptions {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  /** Returns unused pages of the file to the disk. */
  readonly shrink: () => Promise<void>;
}

/** Creates the pruning of old rows. It runs once a minute, and more often while rows are left. */
export function createPruner({ db, clock, shrink }: PrunerOptions): () => Promise<void> {
  let nextMs = 0;
  return async () => {
    const nowMs = clock.nowMs();
    if (nowMs < nextMs) return;
    nextMs = nowMs + EVERY_MS;
    const isDone = [
      await repeated(() => dropRepeats(db, nowMs - FRESH_MS)),
      await repeated(() => dropEmpty(db, nowMs - FRESH_MS)),
      await repeated(() => dropScopes(db, nowMs - FRESH_MS)),
      await repeated(() => dropHistory(db, nowMs - HISTORY_MS)),
    ].every(Boolean);
    // Rows arrive faster than one round deletes them, so the next round follows at once.
    if (!isDone) nextMs = nowMs;
    await db
      .deleteFrom('post')
      .where('at_ms', '<', nowMs - HISTORY_MS)
      .execute();
    await db
      .deleteFrom('past_episode')
      .where('closed_ms', '<', nowMs - REMEMBERED_MS)
      .execute();
    await shrink();
  };
}

/** Deletes chunk by chunk; false if rows may be left. */
async function repeated(dropChunk: () => Promise<number>): Promise<boolean> {
  for (let chunk = 0; chunk < MAX_CHUNKS; chunk++) if ((await dropChunk()) < CHUNK) return true;
  return false;
}

/** Deletes superseded edits of `while` steps. The next edit is compared with the last effective one only. */
async function dropRepeats(db: Kysely<Tables>, beforeMs: number): Promise<number> {
  const useless = db
    .selectFrom('delivery as old')
    .select('old.id')
    .where(sql<SqlBool>`old.section = 'while'`)
    .where('old.created_ms', '<', beforeMs)
    .where('old.state', 'in', ['sent', 'failed', 'skipped'])
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
        .where((its) => its.or([its('later.since_ms', 'is not', null), its('later.afresh', '=', 1)]));
      return eb.or([eb.and([eb('old.since_ms', 'is', null), eb('old.afresh', '=', 0)]), eb.exists(later)]);
    })
    .limit(CHUNK);
  return deleted(await db.deleteFrom('delivery').where('id', 'in', useless).executeTakeFirstOrThrow());
}

/** Deletes firings of `while` without deliveries. */
async function dropEmpty(db: Kysely<Tables>, beforeMs: number): Promise<number> {
  const empty = db
    .selectFrom('firing')
    .select('firing.id')
    .where(sql<SqlBool>`firing.section = 'while'`)
    .where('firing.at_ms', '<', beforeMs)
    .where((eb) => eb.not(eb.exists(eb.selectFrom('delivery').select('delivery.seq').whereRef('delivery.firing', '=', 'firing.id'))))
    .limit(CHUNK);
  return deleted(await db.deleteFrom('firing').where('id', 'in', empty).executeTakeFirstOrThrow());
}

/** Deletes the stored scope of firings whose steps are all rendered. */
async function dropScopes(db: Kysely<Tables>, beforeMs: number): Promise<number> {
  const rendered = (await firingsAtRest(db, beforeMs).where('firing.scope', 'is not', null).execute()).map(({ id }) => id);
  for (const ids of chunks(rendered)) {
    await db.updateTable('delivery').set({ it: null }).where('firing', 'in', ids).where('it', 'is not', null).execute();
    await db.updateTable('firing').set({ scope: null }).where('id', 'in', ids).execute();
  }
  return rendered.length;
}

/** Deletes settled firings of the past. Deliveries of a remembered episode stay, because the episode may continue. */
async function dropHistory(db: Kysely<Tables>, beforeMs: number): Promise<number> {
  const past = firingsAtRest(db, beforeMs).where((eb) => {
    const episode = eb.selectFrom('episode').select('episode.id').whereRef('episode.rule', '=', 'firing.rule');
    return eb.not(eb.exists(episode.whereRef('episode.id', '=', 'firing.episode')));
  });
  return deleted(await db.deleteFrom('firing').where('id', 'in', past).executeTakeFirstOrThrow());
}

function deleted({ numDeletedRows }: DeleteResult): number {
  return Number(numDeletedRows);
}

/** Firings before an instant without open deliveries. */
function firingsAtRest(db: Kysely<Tables>, beforeMs: number) {
  return db
    .selectFrom('firing')
    .select('firing.id')
    .where('firing.at_ms', '<', beforeMs)
    .where((eb) =>
      eb.not(
        eb.exists(eb.selectFrom('delivery').select('delivery.seq').whereRef('delivery.firing', '=', 'firing.id').where(isOpen('delivery'))),
      ),
    )
    .limit(CHUNK);
}
