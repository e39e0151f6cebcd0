import { sql, type Kysely, type Selectable } from 'kysely';
import type { AssistantMessage } from '#src/clients/assistant/records.ts';
import type { Transcripts, ConversationLine, ListOptions } from '#src/clients/assistant/transcript.ts';
import { NO_LIMIT } from './listing.ts';
import type { Tables } from './tables.ts';

const PRUNE_EVERY_MS = 60 * 60_000;
const COLUMNS = ['id', 'role', 'text', 'created_ms', 'note'] as const;

/** The messages of conversations. */
export function createTranscripts(db: Kysely<Tables>): Transcripts {
  let nextPruneMs = 0;

  /** The limit of conversations counts at once. */
  async function prune(nowMs: number): Promise<void> {
    if (nowMs < nextPruneMs) return;
    nextPruneMs = nowMs + PRUNE_EVERY_MS;
    await forgetSurplus(db, nowMs);
  }

  return {
    forget: (conversation) => forget(db, conversation),
    list: (options) => listConversations(db, options),

    async begin(conversation, at) {
      await db
        .insertInto('conversation')
        .values({ id: conversation, begun_ms: at.getTime() })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await prune(at.getTime());
    },

    async begunAt(conversation) {
      const row = await db.selectFrom('conversation').select('begun_ms').where('id', '=', conversation).executeTakeFirst();
      return row && new Date(row.begun_ms);
    },

    async append(conversation, { id, role, text, createdAt, ...note }, { after, by } = {}) {
      const before = after ?? (await lastMessageId(db, conversation));
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
      await dropOldMessages(db, conversation);
      await prune(createdAt.getTime());
    },

    read: (conversation, options) => readBranch(db, conversation, options),
    answerTo: (conversation, question) => findAnswer(db, conversation, question),
  };
}

/** Deletes conversations that were not used for a long time. Their search reads all conversations, so it begins only if there is an old message. */
export async function dropUnusedConversations(db: Kysely<Tables>, nowMs: number): Promise<void> {
  const oldest = await db.selectFrom('transcript').select('created_ms').orderBy('seq').limit(1).executeTakeFirst();
  const begun = await db.selectFrom('conversation').select('begun_ms').orderBy('begun_ms').limit(1).executeTakeFirst();
  if (Math.min(oldest?.created_ms ?? nowMs, begun?.begun_ms ?? nowMs) < nowMs - UNUSED_MS) await forgetSurplus(db, nowMs);
}

async function forgetSurplus(db: Kysely<Tables>, nowMs: number): Promise<void> {
  for (const id of await forgottenConversations(db, nowMs)) await forget(db, id);
}

async function forget(db: Kysely<Tables>, conversation: string): Promise<void> {
  await db.deleteFrom('transcript').where('conversation', '=', conversation).execute();
  await db.deleteFrom('conversation').where('id', '=', conversation).execute();
}

async function lastMessageId(db: Kysely<Tables>, conversation: string): Promise<string | undefined> {
  const query = db.selectFrom('transcript').select('id').where('conversation', '=', conversation).orderBy('seq', 'desc').limit(1);
  return (await query.executeTakeFirst())?.id;
}

/** The messages of a conversation up to one, oldest first. */
async function readBranch(
  db: Kysely<Tables>,
  conversation: string,
  { upTo, limit = Number.MAX_SAFE_INTEGER }: Parameters<Transcripts['read']>[1] = {},
): Promise<readonly AssistantMessage[]> {
  const end = upTo ?? (await lastMessageId(db, conversation));
  if (end === undefined) return [];
  // Each message follows an older one, so the recursion ends.
  const { rows } = await sql<Row>`
    with recursive way as (
      select seq, id, role, text, created_ms, note, after, cast(1 as bigint) as number from transcript where conversation = ${conversation} and id = ${end}
      union all
      select earlier.seq, earlier.id, earlier.role, earlier.text, earlier.created_ms, earlier.note, earlier.after, way.number + 1
      from way join transcript as earlier on earlier.conversation = ${conversation} and earlier.id = way.after and earlier.seq < way.seq
      where way.number < ${limit}
    )
    select id, role, text, created_ms, note from way order by seq
  `.execute(db);
  return rows.map(toMessage);
}

async function findAnswer(db: Kysely<Tables>, conversation: string, question: string): Promise<AssistantMessage | undefined> {
  const row = await db
    .selectFrom('transcript')
    .select(COLUMNS)
    .where('conversation', '=', conversation)
    .where('after', '=', question)
    .where('role', '=', 'assistant')
    .orderBy('seq')
    .executeTakeFirst();
  return row && toMessage(row);
}

type Row = Pick<Selectable<Tables['transcript']>, (typeof COLUMNS)[number]>;

function toMessage({ id, role, text, created_ms, note }: Row): AssistantMessage {
  const rest = JSON.parse(note ?? '{}') as Partial<AssistantMessage>; // `append` wrote it
  return { id, role, text, createdAt: new Date(created_ms), ...rest };
}

interface ListRow {
  readonly id: string;
  readonly begins: string | null;
  readonly created_ms: number;
  readonly updated_ms: number;
}

/** The conversations of a list, last used first. */
async function listConversations(db: Kysely<Tables>, { by, prefix = '', limit }: ListOptions): Promise<readonly ConversationLine[]> {
  const theirs = by === undefined ? sql`` : sql`and conversation in (select distinct conversation from transcript where asker = ${by})`;
  const { rows } = await sql<ListRow>`
    with used as (
      select conversation as id, min(seq) as first, max(seq) as last from transcript
      where substr(conversation, 1, ${prefix.length}) = ${prefix} ${theirs}
      group by conversation order by last desc limit ${limit}
    )
    select
      used.id,
      (select text from transcript where transcript.conversation = used.id and role = 'user' order by seq limit 1) as begins,
      coalesce(
        (select begun_ms from conversation where conversation.id = used.id),
        (select created_ms from transcript where seq = used.first)
      ) as created_ms,
      (select created_ms from transcript where seq = used.last) as updated_ms
    from used order by used.last desc
  `.execute(db);
  return rows.map(({ id, begins, created_ms, updated_ms }) => ({
    id,
    begins: begins ?? undefined,
    createdAt: new Date(created_ms),
    updatedAt: new Date(updated_ms),
  }));
}

/** Retention period for unused conversations. */
const UNUSED_MS = 90 * 24 * 60 * 60_000;
/** The number of conversations that are kept. */
const MOST_CONVERSATIONS = 1_000;
/** The number of messages kept per conversation. */
const MAX_MESSAGES = 1_000;

/** The ids of conversations that are unused for too long or exceed the limit. */
async function forgottenConversations(db: Kysely<Tables>, nowMs: number): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly id: string }>`
    with used as (
      select conversation as id, created_ms as used_ms, seq from transcript
      where seq in (select max(seq) from transcript group by conversation)
      union all
      select id, begun_ms, 0 from conversation where id not in (select conversation from transcript)
    )
    select id from used where used_ms < ${nowMs - UNUSED_MS}
    union
    select id from (select id from used order by used_ms desc, seq desc, id limit ${NO_LIMIT} offset ${MOST_CONVERSATIONS}) as surplus
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** Deletes the messages of a conversation before its last ones. */
async function dropOldMessages(db: Kysely<Tables>, conversation: string): Promise<void> {
  const firstPast = db
    .selectFrom('transcript')
    .select('seq')
    .where('conversation', '=', conversation)
    .orderBy('seq', 'desc')
    .limit(1)
    .offset(MAX_MESSAGES);
  await db.deleteFrom('transcript').where('conversation', '=', conversation).where('seq', '<=', firstPast).execute();
}
