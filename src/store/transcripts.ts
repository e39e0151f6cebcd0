import type { Kysely, Selectable } from 'kysely';
import type { AssistantMessage } from '#src/assistant/records.ts';
import type { Transcripts } from '#src/assistant/transcript.ts';
import type { Tables } from './tables.ts';
import { dropOldTurns, forgottenConversations } from './transcript-bounds.ts';

const LOOK_EVERY_MS = 60 * 60_000;

/** The turns of conversations, in the database: as many, and for as long, as the bounds let. */
export function createTranscripts(db: Kysely<Tables>): Transcripts {
  let nextLookMs = 0;

  /** Nothing grows but by what is begun and said, so this is when to look. */
  async function keepBounds(nowMs: number): Promise<void> {
    if (nowMs < nextLookMs) return;
    nextLookMs = nowMs + LOOK_EVERY_MS;
    for (const id of await forgottenConversations(db, nowMs)) await forget(id);
  }

  async function forget(conversation: string): Promise<void> {
    await db.deleteFrom('transcript').where('conversation', '=', conversation).execute();
    await db.deleteFrom('conversation').where('id', '=', conversation).execute();
  }

  return {
    forget,

    async begin(conversation, at) {
      await db
        .insertInto('conversation')
        .values({ id: conversation, begun_ms: at.getTime() })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await keepBounds(at.getTime());
    },

    async begunAt(conversation) {
      const row = await db.selectFrom('conversation').select('begun_ms').where('id', '=', conversation).executeTakeFirst();
      return row && new Date(row.begun_ms);
    },

    async append(conversation, { id, role, text, createdAt, ...note }) {
      await db
        .insertInto('transcript')
        .values({ conversation, id, role, text, created_ms: createdAt.getTime(), note: JSON.stringify(note) })
        .onConflict((conflict) => conflict.columns(['conversation', 'id']).doNothing())
        .execute();
      await dropOldTurns(db, conversation);
      await keepBounds(createdAt.getTime());
    },

    async read(conversation, { limit = Number.MAX_SAFE_INTEGER } = {}) {
      const newest = await db
        .selectFrom('transcript')
        .select(['id', 'role', 'text', 'created_ms', 'note'])
        .where('conversation', '=', conversation)
        .orderBy('seq', 'desc')
        .limit(limit)
        .execute();
      return newest.toReversed().map(toMessage);
    },
  };
}

type Row = Pick<Selectable<Tables['transcript']>, 'id' | 'role' | 'text' | 'created_ms' | 'note'>;

function toMessage({ id, role, text, created_ms, note }: Row): AssistantMessage {
  const rest = JSON.parse(note ?? '{}') as Partial<AssistantMessage>; // `append` wrote it
  return { id, role, text, createdAt: new Date(created_ms), ...rest };
}
