import { sql, type Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** For so long a conversation that nobody uses is kept. */
const UNUSED_MS = 90 * 24 * 60 * 60_000;
/** How many conversations are kept. */
const MOST_CONVERSATIONS = 1_000;
/** How many turns of one conversation are kept. */
const MOST_TURNS = 1_000;

/** The ids of conversations that were not used for too long, and of those used longest ago where there are too many. */
export async function forgottenConversations(db: Kysely<Tables>, nowMs: number): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly id: string }>`
    with used as (
      select conversation as id, created_ms as used_ms, seq from transcript
      where seq in (select max(seq) from transcript group by conversation)
      union all
      select id, begun_ms, 0 from conversation where id not in (select conversation from transcript)
    )
    select id from used where used_ms < ${nowMs - UNUSED_MS}
    union
    select id from (select id from used order by used_ms desc, seq desc, id limit -1 offset ${MOST_CONVERSATIONS})
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** Drops what was said in a conversation before its last turns. */
export async function dropOldTurns(db: Kysely<Tables>, conversation: string): Promise<void> {
  const firstPast = db
    .selectFrom('transcript')
    .select('seq')
    .where('conversation', '=', conversation)
    .orderBy('seq', 'desc')
    .limit(1)
    .offset(MOST_TURNS);
  await db.deleteFrom('transcript').where('conversation', '=', conversation).where('seq', '<=', firstPast).execute();
}
