import { z } from 'zod';
import type { Post } from '#src/social/records/post.ts';
import { readHtml } from '../html/plain-text.ts';
import { AccountRow, toPerson } from './account.ts';
import { MediaRow } from './media.ts';
import { address, count, filled, flag, id, instant, instantIfAny, PLATFORM, rowsOf, words } from './parts.ts';
import { PollRow } from './poll.ts';
import { QuoteApproval, QuoteId, QuoteRow } from './quote.ts';

const VISIBILITIES: Readonly<Record<string, Post['visibility']>> = { public: 'public', unlisted: 'unlisted', direct: 'direct' };

const fields = z.object({
  id,
  uri: filled,
  url: address,
  account: AccountRow,
  content: words,
  created_at: instant,
  edited_at: instantIfAny,
  in_reply_to_id: id.nullish(),
  in_reply_to_account_id: id.nullish(),
  sensitive: flag,
  spoiler_text: words,
  visibility: z.string().nullish(),
  language: filled,
  replies_count: count,
  reblogs_count: count,
  favourites_count: count,
  quotes_count: count,
  media_attachments: rowsOf(MediaRow),
  mentions: rowsOf(z.object({ id, username: words, acct: words, url: filled })),
  emojis: rowsOf(z.object({ shortcode: z.string(), url: filled })),
  poll: PollRow.nullish(),
  quote: QuoteRow.nullish(),
  quote_id: QuoteId,
  quote_approval: QuoteApproval.nullish(),
  favourited: z.boolean().nullish(),
  reblogged: flag,
  bookmarked: flag,
  pinned: flag,
});

/** A status, as servers tell of it. */
export const StatusRow = fields.extend({ reblog: fields.nullish() });
export type StatusRow = z.output<typeof StatusRow>;

/** A status as a post; one that passes on another has the text and the counts of that one. */
export function toPost(row: StatusRow, fetchedAt: Date): Post {
  const subject = row.reblog ?? row;
  const { text, entities, quoteUrl } = readHtml(subject.content, subject);
  return {
    platform: PLATFORM,
    id: row.id,
    url: row.url ?? row.uri ?? subject.url ?? subject.uri,
    author: toPerson(row.account),
    text,
    entities,
    language: subject.language,
    createdAt: row.created_at,
    editedAt: subject.edited_at,
    // Only a post that answers none is known to begin its thread.
    conversationId: row.in_reply_to_id || row.reblog ? undefined : row.id,
    replyTo: row.in_reply_to_id ? { postId: row.in_reply_to_id, userId: row.in_reply_to_account_id ?? undefined } : undefined,
    quoted: quotedBy(subject, quoteUrl),
    repostOf: row.reblog?.id,
    media: [...subject.media_attachments],
    sensitive: subject.sensitive,
    poll: subject.poll?.poll,
    visibility: VISIBILITIES[row.visibility ?? 'public'] ?? 'followers',
    replyAudience: 'everyone',
    counts: {
      likes: subject.favourites_count,
      reposts: subject.reblogs_count,
      replies: subject.replies_count,
      quotes: subject.quotes_count,
    },
    viewer: viewerOf(subject),
    fetchedAt,
  };
}

function quotedBy({ quote, quote_id: quotedId }: Omit<StatusRow, 'reblog'>, quoteUrl: string | undefined): Post['quoted'] {
  if (!quote && quotedId === undefined) return undefined;
  return { state: 'unavailable', ...quote, postId: quote?.postId ?? (quotedId || quoteUrl) ?? '' };
}

/** Without a token the server does not say. */
function viewerOf({ favourited, reblogged, bookmarked, pinned }: Omit<StatusRow, 'reblog'>): Post['viewer'] {
  if (favourited === undefined || favourited === null) return undefined;
  return { liked: favourited, reposted: reblogged, bookmarked, pinned };
}
