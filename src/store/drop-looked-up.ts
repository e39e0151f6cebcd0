import { setImmediate as nextLoop } from 'node:timers/promises';
import { sql, type Kysely, type SqlBool } from 'kysely';
import { catalogue } from '#src/clients/catalogue.ts';
import { endOf } from './delivery-row.ts';
import { KEPT_FOR_RESEND_MS } from './posts.ts';
import type { Tables } from './tables.ts';

/** Retention period for results of look-ups, as for the recorded polls that replays use with them. */
const KEPT_MS = 8 * 24 * 60 * 60_000;
/** The number of firings in one statement, so that no other work waits long. */
const CHUNK = 200;
/** The number of statements in one round. The next round continues. */
const MAX_CHUNKS = 100;

const LOOK_UPS = [...catalogue].flatMap(([verb, { kind }]) => (kind === 'write' ? [] : [verb]));

/**
 * Creates the deletion of old results of look-ups, which may be whole lists of posts that not everyone can read. A round examines some firings, and
 * the next one continues: an episode needs the results of its firings until it is forgotten.
 */
export function createDropLookedUp(db: Kysely<Tables>): (nowMs: number) => Promise<void> {
  let doneMs = 0;

  /** Examines the firings of one chunk. Resolves with their last instant; undefined if there are no more. */
  async function examine(nowMs: number): Promise<number | undefined> {
    const beforeMs = nowMs - KEPT_MS;
    const mayRead = sql<SqlBool>`(reader.state in ('pending', 'sending', 'asked', 'unknown')
      or (reader.state = 'failed' and ${endOf('reader')} >= ${nowMs - KEPT_FOR_RESEND_MS}))`;
    const firings = await db
      .selectFrom('firing')
      .select(['id', 'at_ms'])
      .where('at_ms', '>', doneMs)
      .where('at_ms', '<', beforeMs)
      .orderBy('at_ms')
      .limit(CHUNK)
      .execute();
    const lastMs = firings.at(-1)?.at_ms;
    if (lastMs === undefined) return undefined;
    // Several firings can have the same instant.
    const some = db.selectFrom('firing').select('id').where('at_ms', '>', doneMs).where('at_ms', '<=', lastMs);
    await db
      .updateTable('delivery')
      .set({ result: null })
      .where('firing', 'in', some)
      .where('verb', 'in', LOOK_UPS)
      .where('result', 'is not', null)
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('episode')
              .select('episode.id')
              .whereRef('episode.rule', '=', 'delivery.rule')
              .whereRef('episode.id', '=', 'delivery.episode'),
          ),
        ),
      )
      .where(sql<SqlBool>`not exists (select 1 from delivery as reader where reader.firing = delivery.firing and ${mayRead})`)
      // A step of finally is in another firing, and the episode may be forgotten before the step begins.
      .where(
        sql<SqlBool>`not exists (select 1 from need join delivery as reader on reader.id = need.delivery where need.needed = delivery.id and ${mayRead})`,
      )
      .execute();
    return firings.length < CHUNK ? undefined : lastMs;
  }

  return async (nowMs) => {
    for (let chunk = 0; chunk < MAX_CHUNKS; chunk++) {
      const lastMs = await examine(nowMs);
      doneMs = lastMs ?? 0;
      if (lastMs === undefined) return;
      await nextLoop();
    }
  };
}
