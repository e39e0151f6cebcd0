import { sql, type Kysely, type SqlBool } from 'kysely';
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

/** Keeps the database from growing for ever; does something only now and then. */
export function createTidy(db: Kysely<Tables>, clock: Clock): () => Promise<void> {
  let nextMs = 0;
  return async () => {
    const nowMs = clock.nowMs();
    if (nowMs < nextMs) return;
    nextMs = nowMs + EVERY_MS;
    await dropRepeats(db, nowMs - FRESH_MS);
    await dropScopes(db, nowMs - FRESH_MS);
    await dropHistory(db, nowMs - HISTORY_MS);
    await db
      .deleteFrom('post')
      .where('at_ms', '<', nowMs - HISTORY_MS)
      .execute();
    await db
      .deleteFrom('past_episode')
      .where('closed_ms', '<', nowMs - REMEMBERED_MS)
      .execute();
  };
}

/** Of a `while` step of an episode only the last that counts is of use: the next is compared with it. */
async function dropRepeats(db: Kysely<Tables>, beforeMs: number): Promise<void> {
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
  await db.deleteFrom('delivery').where('id', 'in', useless).execute();

  const empty = db
    .selectFrom('firing')
    .select('firing.id')
    .where(sql<SqlBool>`firing.section = 'while'`)
    .where('firing.at_ms', '<', beforeMs)
    .where((eb) => eb.not(eb.exists(eb.selectFrom('delivery').select('delivery.seq').whereRef('delivery.firing', '=', 'firing.id'))))
    .limit(CHUNK);
  await db.deleteFrom('firing').where('id', 'in', empty).execute();
}

/** What a firing saw is wanted only until its steps are rendered. */
async function dropScopes(db: Kysely<Tables>, beforeMs: number): Promise<void> {
  const rendered = (await firingsAtRest(db, beforeMs).where('firing.scope', 'is not', null).execute()).map(({ id }) => id);
  for (const ids of chunks(rendered)) {
    await db.updateTable('delivery').set({ it: null }).where('firing', 'in', ids).where('it', 'is not', null).execute();
    await db.updateTable('firing').set({ scope: null }).where('id', 'in', ids).execute();
  }
}

/** What is long past, but for what was sent for an episode that is still remembered: it may go on. */
async function dropHistory(db: Kysely<Tables>, beforeMs: number): Promise<void> {
  const past = firingsAtRest(db, beforeMs).where((eb) => {
    const episode = eb.selectFrom('episode').select('episode.id').whereRef('episode.rule', '=', 'firing.rule');
    return eb.not(eb.exists(episode.whereRef('episode.id', '=', 'firing.episode')));
  });
  await db.deleteFrom('firing').where('id', 'in', past).execute();
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
