import { z } from 'zod';
import { arrayOf, maybe } from '#src/http/lenient.ts';
import { restrictionOf } from '#src/clients/operation/audience.ts';
import type { Poll, Post } from '#src/clients/social/records/post.ts';
import { readHtml, textOfHtml } from '../text/html.ts';
import { withWarning } from '../text/warning.ts';
import { AccountRow, toAuthor } from './account.ts';
import { MediaRow } from './media.ts';
import { address, count, countIfAny, filled, flag, id, instant, instantIfAny, PLATFORM, rowsOf, text } from './parts.ts';
import { fromWireVisibility } from './visibility.ts';

/** Some polls of other servers have no end. */
const NEVER_ENDS = new Date('9999-12-31T00:00:00Z');

/** A poll, and the choices of the signed-in account. */
export const PollRow = z
  .object({
    // GoToSocial has an empty id in the history of a status.
    id: maybe(id),
    expires_at: instantIfAny,
    expired: flag,
    multiple: flag,
    votes_count: countIfAny,
    voters_count: countIfAny,
    voted: z.boolean().nullish(),
    own_votes: arrayOf(z.int()).nullish(),
    options: arrayOf(z.object({ title: z.string(), votes_count: countIfAny })),
  })
  .transform((wire) => ({
    voted: wire.voted ?? false,
    /** Whether the server states that the account has not voted. */
    isRefused: wire.voted === false,
    chosen: wire.own_votes ?? [],
    poll: {
      id: wire.id,
      options: wire.options.map(({ title, votes_count }, index) => ({ index, label: title, votes: votes_count })),
      totalVotes: wire.votes_count,
      voters: wire.voters_count,
      endsAt: wire.expires_at ?? NEVER_ENDS,
      closed: wire.expired,
      multiple: wire.multiple,
    } satisfies Poll,
  }));
export type PollRow = z.output<typeof PollRow>;

type Quoted = NonNullable<Post['quoted']>;

const STATES: ReadonlyMap<string, Quoted['state']> = new Map([
  ['accepted', 'accepted'],
  ['pending', 'pending'],
  ['blocked_account', 'blocked'],
  ['blocked_domain', 'blocked'],
  ['muted_account', 'blocked'],
]);

/** Akkoma's id for an unknown post. */
const UNKNOWN_ID = '_';

/** A quote. Nested quotes have only an id. Akkoma and other servers without quote states have the status itself. */
const QuoteRow = z
  .object({
    state: z.string().nullish(),
    quoted_status: z.object({ id, content: text, spoiler_text: text, visibility: z.string().nullish() }).nullish(),
    quoted_status_id: id.nullish(),
    id: id.nullish(),
    content: text,
    spoiler_text: text,
    visibility: z.string().nullish(),
  })
  .transform(({ state, quoted_status, quoted_status_id: statusId, id: statusOrQuoteId, ...itself }) => {
    const status = quoted_status ?? (statusOrQuoteId && !state ? { id: statusOrQuoteId, ...itself } : undefined);
    return {
      // An unknown visibility counts as restricted.
      state: STATES.get(state || (status ? 'accepted' : '')) ?? ('unavailable' as const),
      postId: status?.id ?? statusId ?? statusOrQuoteId ?? undefined,
      ...(status && quotedText(status)),
    };
  });
type QuoteRow = z.output<typeof QuoteRow>;

/** The text of a quoted status. A quote has no audience, so it has no text that only some people can read. */
function quotedText(status: {
  readonly content: string;
  readonly spoiler_text: string;
  readonly visibility?: string | null | undefined;
}): Pick<Quoted, 'text' | 'warning'> | undefined {
  const visibility = fromWireVisibility(status.visibility ?? 'public');
  if (restrictionOf({ visibility }) !== undefined) return undefined;
  const warning = status.spoiler_text.trim();
  const { text: shown } = withWarning({ text: textOfHtml(status.content), entities: [] }, warning);
  return { text: shown, warning: warning || undefined };
}

/** The id of the quoted status. */
const QuoteId = maybe(id).transform((quotedId) => (quotedId === UNKNOWN_ID ? '' : quotedId));

/** Whether the signed-in account may quote a status. */
export const QuoteApproval = z
  .object({ current_user: z.string().nullish(), automatic: arrayOf(z.string()).nullish(), manual: arrayOf(z.string()).nullish() })
  .transform(({ current_user: mine, automatic, manual }) => ({
    isDenied: mine === 'denied' || mine === 'unknown',
    quotable: automatic && quotableBy(automatic, manual ?? []),
  }));

/** Who can quote a status; undefined for other groups, and if the author approves each quote. */
function quotableBy(automatic: readonly string[], manual: readonly string[]): Post['quotable'] {
  if (automatic.includes('public')) return 'everyone';
  if (automatic.includes('followers')) return 'followers';
  return automatic.length + manual.length === 0 ? 'nobody' : undefined;
}

const fields = z.object({
  id,
  uri: filled,
  url: address,
  account: AccountRow,
  content: text,
  created_at: instant,
  edited_at: instantIfAny,
  in_reply_to_id: id.nullish(),
  in_reply_to_account_id: id.nullish(),
  sensitive: flag,
  spoiler_text: text,
  visibility: z.string().nullish(),
  language: filled,
  replies_count: count,
  reblogs_count: count,
  favourites_count: count,
  quotes_count: count,
  media_attachments: rowsOf(MediaRow),
  mentions: rowsOf(z.object({ id, username: text, acct: text, url: filled })),
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

/** A status. */
export const StatusRow = fields.extend({ reblog: fields.nullish() });
export type StatusRow = z.output<typeof StatusRow>;

/** A status as a post; one that passes on another has the text and the counts of that one. */
export function toPost(row: StatusRow, fetchedAt: Date): Post {
  const subject = row.reblog ?? row;
  const { quoteUrl, ...content } = readHtml(subject.content, subject);
  const warning = subject.spoiler_text.trim();
  return {
    platform: PLATFORM,
    id: row.id,
    url: row.url ?? row.uri ?? subject.url ?? subject.uri,
    author: toAuthor(row.account),
    ...withWarning(content, warning),
    warning: warning || undefined,
    language: subject.language,
    createdAt: row.created_at,
    editedAt: subject.edited_at,
    // Only a post that is no reply certainly begins its thread.
    conversationId: row.in_reply_to_id || row.reblog ? undefined : row.id,
    replyTo: row.in_reply_to_id ? { postId: row.in_reply_to_id, userId: row.in_reply_to_account_id ?? undefined } : undefined,
    quoted: quotedBy(subject, quoteUrl),
    repostOf: row.reblog?.id,
    media: [...subject.media_attachments],
    sensitive: subject.sensitive,
    poll: subject.poll?.poll,
    visibility: visibilityOf(row),
    replyAudience: 'everyone',
    quotable: subject.quote_approval?.quotable ?? undefined,
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

/** A repost is never more visible than the post that it repeats. */
function visibilityOf({ visibility, reblog }: StatusRow): Post['visibility'] {
  const shown = fromWireVisibility(visibility ?? 'public');
  const repeated = fromWireVisibility(reblog?.visibility ?? 'public');
  return restrictionOf({ visibility: shown }) === undefined && restrictionOf({ visibility: repeated }) !== undefined ? repeated : shown;
}

function quotedBy({ quote, quote_id: quotedId }: Omit<StatusRow, 'reblog'>, quoteUrl: string | undefined): Post['quoted'] {
  if (!quote && quotedId === undefined) return undefined;
  return { state: 'unavailable', ...quote, postId: quote?.postId ?? (quotedId || quoteUrl) ?? '' };
}

/** The state for the signed-in account; undefined without a token. */
function viewerOf({ favourited, reblogged, bookmarked, pinned }: Omit<StatusRow, 'reblog'>): Post['viewer'] {
  if (favourited === undefined || favourited === null) return undefined;
  return { liked: favourited, reposted: reblogged, bookmarked, pinned };
}

/** The ancestors and the replies of a status. */
export const ContextRow = z.object({
  ancestors: rowsOf(StatusRow, { isRequired: true }),
  descendants: rowsOf(StatusRow, { isRequired: true }),
});

/** A hashtag, with its uses on each of the last days. */
export const TagRow = z.object({ name: z.string().min(1), url: filled, history: rowsOf(z.object({ uses: count })) });
export type TagRow = z.output<typeof TagRow>;

/** The number of posts with the hashtag in the last days; undefined if the server does not state it. */
export function postCountOf({ history }: TagRow): number | undefined {
  return history.length === 0 ? undefined : history.reduce((sum, { uses }) => sum + uses, 0);
}
