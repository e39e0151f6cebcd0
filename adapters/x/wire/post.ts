import type { Person } from '#src/clients/operation/record.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import type { Includes } from './envelope.ts';
import { instantOf } from './parts.ts';
import { type PostRow, referenceOf, toPoll } from './post-row.ts';
import { isMedia, type Link, postIdIn, toText } from './text.ts';
import { toPerson, unknownPerson } from './user.ts';

const AUDIENCES: ReadonlyMap<string, Post['replyAudience']> = new Map([
  ['mentionedUsers', 'mentioned'],
  ['following', 'following'],
  ['subscribers', 'subscribers'],
  ['verified', 'verified'],
]);
/** Outdated language codes of X and their current names. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['iw', 'he'],
  ['in', 'id'],
]);

/** The post of a row, with its expansions. */
export function toPost(row: PostRow, includes: Includes, fetchedAt: Date): Post {
  const repostOf = referenceOf(row, 'retweeted', 'reposted');
  // The text of the repost is cut off.
  const subject = (repostOf === undefined ? undefined : includes.posts.get(repostOf)) ?? row;
  const quoted = referenceOf(subject, 'quoted');
  const replied = referenceOf(row, 'replied_to');
  const author = authorOf(row, includes);
  const firstVersionId = firstVersionOf(row);
  const createdAt = row.created_at ?? instantOf(firstVersionId ?? row.id) ?? fetchedAt;
  const { text, entities } = postText(subject, quoted);
  return {
    platform: 'x',
    id: row.id,
    firstVersionId,
    url: postUrl(author, row.id),
    author,
    text,
    entities,
    language: languageOf(subject),
    createdAt,
    editedAt: editedAt(row),
    conversationId: row.conversation_id,
    replyTo: replied === undefined ? undefined : { postId: replied, userId: row.in_reply_to_user_id },
    quoted: quoted === undefined ? undefined : quotedOf(quoted, includes),
    repostOf,
    media: subject.attachments?.media_keys.flatMap((key) => includes.media.get(key)?.media ?? []) ?? [],
    sensitive: subject.possibly_sensitive,
    poll: pollOf(subject, includes, createdAt),
    place: row.place_id === undefined ? undefined : includes.places.get(row.place_id),
    communityId: row.community_id,
    visibility: [row, subject].some((one) => isProtected(one, includes)) ? 'followers' : 'public',
    replyAudience: replyAudienceOf(row.reply_settings),
    counts: countsOf(subject),
    fetchedAt,
  };
}

/** The audience of a reply setting. */
export function replyAudienceOf(setting: string | undefined): Post['replyAudience'] {
  return AUDIENCES.get(setting ?? '') ?? 'everyone';
}

/** The web address of a post. */
export function postUrl(author: Person, postId: string): string {
  return `https://x.com/${author.handle === author.id ? 'i' : author.handle}/status/${postId}`;
}

function authorOf({ author_id: userId }: PostRow, { users }: Includes): Person {
  const user = users.get(userId ?? '');
  return user ? toPerson(user) : unknownPerson(userId ?? '0');
}

/** The text, without the links for media and for the quoted post. */
export function postText({ note, text, entities }: PostRow, quoted: string | undefined): Pick<Post, 'text' | 'entities'> {
  // A long text has its own entities. Media are only in the entities of the short text.
  const found = note ? { urls: [], mentions: [], hashtags: [], cashtags: [], ...note.entities } : entities;
  const raw = note?.text ?? text;
  if (quoted === undefined) return toText(raw, found);
  const last = found?.urls.toSorted((a, b) => (a.start ?? 0) - (b.start ?? 0)).findLast((link) => !isMedia(link));
  const isQuote = ({ expanded_url: url }: Link): boolean => url !== undefined && postIdIn(url) === quoted;
  return toText(raw, found, (link) => isMedia(link) || (link === last && isQuote(link)));
}

function languageOf({ lang }: PostRow): string | undefined {
  // Codes that begin with q, and a few others, mean that X detected no language.
  if (lang === undefined || /^(und|zxx|art|q..)$/.test(lang)) return undefined;
  return RENAMED.get(lang) ?? lang;
}

function firstVersionOf({ id, versions: [first] }: PostRow): string | undefined {
  return first === id ? undefined : first;
}

function editedAt({ id, versions }: PostRow): Date | undefined {
  const last = versions.at(-1);
  return last !== undefined && versions.length > 1 && versions[0] !== id ? instantOf(last) : undefined;
}

/** A quote has no audience, so it has no text that only followers can read. */
function quotedOf(postId: string, includes: Includes): NonNullable<Post['quoted']> {
  const row = includes.posts.get(postId);
  if (!row) return { postId, state: 'unavailable' };
  const text = isProtected(row, includes) ? undefined : postText(row, referenceOf(row, 'quoted')).text;
  return { postId, state: 'accepted', text };
}

/** Whether only followers of the author can read a post. With the current names of fields, X gives no author of a referenced post. */
function isProtected({ author_id: userId }: PostRow, { users }: Includes): boolean {
  return users.get(userId ?? '')?.protected === true;
}

function pollOf({ attachments }: PostRow, { polls }: Includes, createdAt: Date): Post['poll'] {
  const row = attachments?.poll_ids.map((key) => polls.get(key)).find((poll) => poll !== undefined);
  return row && toPoll(row, createdAt);
}

function countsOf({ public_metrics: metrics }: PostRow): Post['counts'] {
  return {
    likes: metrics?.like_count ?? 0,
    reposts: metrics?.reposts ?? 0,
    replies: metrics?.reply_count ?? 0,
    quotes: metrics?.quote_count ?? 0,
    bookmarks: metrics?.bookmark_count,
    impressions: metrics?.impression_count,
  };
}
