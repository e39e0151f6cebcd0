import { sql, type Kysely } from 'kysely';
import type { ConversationLine, ListOptions } from '#src/assistant/transcript.ts';
import type { Tables } from './tables.ts';

interface Row {
  readonly id: string;
  readonly begins: string | null;
  readonly created_ms: number;
  readonly updated_ms: number;
}

/** What `Transcripts.list` promises. */
export async function listConversations(db: Kysely<Tables>, { by, prefix = '', limit }: ListOptions): Promise<readonly ConversationLine[]> {
  const theirs = by === undefined ? sql`` : sql`and conversation in (select distinct conversation from transcript where asker = ${by})`;
  const { rows } = await sql<Row>`
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
