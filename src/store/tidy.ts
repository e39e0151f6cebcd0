import { sql, type DeleteResult, type Kysely, type SqlBool } from 'kysely';
import { REMEMBERED_MS } from '#src/rules/episodes/turns/seen-turns.ts';
import type { Clock } from '#src/clock.ts';
import { chunks } from './chunks.ts';
import { isOpen } from './due.ts';
import type { Tables } from './tables.ts';

const EVERY_MS = 60_000;
/** For so long is shown what is settled and of no further use. */
const FRESH_MS = 10 * 60_000;
/** For so long it is known what was sent. */
const HISTORY_MS = 90 * 24 * 60 * 60_000;
/** How many rows one statement drops, so that nobody waits for it. */
const CHUNK = 1_000;
/** How many statements of a kind follow each other; what they leave is dropped before the next commit. */
const MAX_CHUNKS = 10;

export interface TidyOptions {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  /** Gives room in the file that nothing is kept in back to the disk. */
  readonly shrink: () => Promise<void>;
}

/** Keeps the database from growing for ever; does something only now and then, and more often while there is more to drop. */
export function createTidy({ db, clock, shrink }: TidyOptions): () => Promise<void> {
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
    // Else more is written than one round drops: what is left does not wait for a minute.
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

/** Drops chunk after chunk; false: there may be more. */
async function repeated(dropChunk: () => Promise<number>): Promise<boolean> {
  for (let chunk = 0; chunk < MAX_CHUNKS; chunk++) if ((await dropChunk()) < CHUNK) return true;
  return false;
}

/** Of a `while` step of an episode only the last that counts is of use: the next is compared with it. */
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

/** A firing of `while` without deliveries says nothing any more. */
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

/** What a firing saw is wanted only until its steps are rendered. */
async function dropScopes(db: Kysely<Tables>, beforeMs: number): Promise<number> {
  const rendered = (await firingsAtRest(db, beforeMs).where('firing.scope', 'is not', null).execute()).map(({ id }) => id);
  for (const ids of chunks(rendered)) {
    await db.updateTable('delivery').set({ it: null }).where('firing', 'in', ids).where('it', 'is not', null).execute();
    await db.updateTable('firing').set({ scope: null }).where('id', 'in', ids).execute();
  }
  return rendered.length;
}

/** What is long past, but for what was sent for an episode that is still remembered: it may go on. */
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

/** Firings before an instant of which nothing is left to do. */
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
