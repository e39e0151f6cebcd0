import { sql, type Kysely, type Selectable } from 'kysely';
import type { AssistantMessage } from '#src/assistant/records.ts';
import type { Transcripts } from '#src/assistant/transcript.ts';
import type { Tables } from './tables.ts';
import { dropOldTurns, forgottenConversations } from './transcript-bounds.ts';
import { listConversations } from './transcript-list.ts';

const LOOK_EVERY_MS = 60 * 60_000;
const COLUMNS = ['id', 'role', 'text', 'created_ms', 'note'] as const;

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

  async function lastTurn(conversation: string): Promise<string | undefined> {
    const query = db.selectFrom('transcript').select('id').where('conversation', '=', conversation).orderBy('seq', 'desc').limit(1);
    return (await query.executeTakeFirst())?.id;
  }

  return {
    forget,
    list: (options) => listConversations(db, options),

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

    async append(conversation, { id, role, text, createdAt, ...note }, { after, by } = {}) {
      const before = after ?? (await lastTurn(conversation));
      await db
        .insertInto('transcript')
        .values({
          conversation,
          id,
          role,
          text,
          created_ms: createdAt.getTime(),
          note: JSON.stringify(note),
          after: before ?? null,
          asker: by ?? null,
        })
        .onConflict((conflict) => conflict.columns(['conversation', 'id']).doNothing())
        .execute();
      await dropOldTurns(db, conversation);
      await keepBounds(createdAt.getTime());
    },

    async read(conversation, { upTo, limit = Number.MAX_SAFE_INTEGER } = {}) {
      const end = upTo ?? (await lastTurn(conversation));
      if (end === undefined) return [];
      // A turn follows one that is older, so that the way back ends.
      const { rows } = await sql<Row>`
        with recursive way as (
          select seq, id, role, text, created_ms, note, after from transcript where conversation = ${conversation} and id = ${end}
          union all
          select earlier.seq, earlier.id, earlier.role, earlier.text, earlier.created_ms, earlier.note, earlier.after
          from way join transcript as earlier on earlier.conversation = ${conversation} and earlier.id = way.after and earlier.seq < way.seq
          limit ${limit}
        )
        select id, role, text, created_ms, note from way order by seq
      `.execute(db);
      return rows.map(toMessage);
    },

    async answerTo(conversation, question) {
      const row = await db
        .selectFrom('transcript')
        .select(COLUMNS)
        .where('conversation', '=', conversation)
        .where('after', '=', question)
        .where('role', '=', 'assistant')
        .orderBy('seq')
        .executeTakeFirst();
      return row && toMessage(row);
    },
  };
}

type Row = Pick<Selectable<Tables['transcript']>, (typeof COLUMNS)[number]>;

function toMessage({ id, role, text, created_ms, note }: Row): AssistantMessage {
  const rest = JSON.parse(note ?? '{}') as Partial<AssistantMessage>; // `append` wrote it
  return { id, role, text, createdAt: new Date(created_ms), ...rest };
}
