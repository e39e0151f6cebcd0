import { z } from 'zod';
import { mayPostIn } from '../social/communities.ts';
import { rootOf } from '../social/conversations.ts';
import { findPlace } from '../social/records.ts';
import type { NewPost, StoredMedia, StoredPost } from '../social/posts.ts';
import { mayAnswer } from '../social/threads.ts';
import { findCommunity, findWritten, latestOf, type PostVersion } from './ids.ts';
import { EDITABLE_MS, isEditable } from './post-json.ts';
import { forbidden, invalid } from './problem.ts';
import { mentionsOf } from './query.ts';
import { signedIn, type XRequest } from './request.ts';
import { weightOf } from './text.ts';

const MOST_WEIGHT = 280;
/** X refuses a text that the account has posted within this time. */
const DUPLICATE_MS = 24 * 3_600_000;
const AUDIENCES = { mentionedUsers: 'ByInvitation', following: 'Community', subscribers: 'Subscribers', verified: 'Verified' } as const;

const Id = z.string().regex(/^\d{1,19}$/, 'is not an id');
const Audience = z.enum(['following', 'mentionedUsers', 'subscribers', 'verified']);
const Media = z.strictObject({ media_ids: z.array(Id).min(1).max(4) });
const Poll = z.strictObject({ options: z.array(z.string().min(1).max(25)).min(2).max(4), duration_minutes: z.int().min(5).max(10_080) });

/** The body of `POST /2/tweets`. */
export const PostBody = z.strictObject({
  text: z.string().optional(),
  media: Media.optional(),
  poll: Poll.optional(),
  reply: z.strictObject({ in_reply_to_tweet_id: Id }).optional(),
  quote_tweet_id: Id.optional(),
  geo: z.strictObject({ place_id: z.string() }).optional(),
  reply_settings: Audience.optional(),
  community_id: Id.optional(),
  share_with_followers: z.boolean().optional(),
  edit_options: z.strictObject({ previous_post_id: Id }).optional(),
});
type PostBody = z.output<typeof PostBody>;

/** Publishes a post, or edits one. Refuses what X does not accept. */
export function publish(body: PostBody, request: XRequest): PostVersion {
  const { written, nowMs, fault } = request;
  const post = draftOf(body, request);
  if (body.edit_options) return edit(body.edit_options.previous_post_id, post, request);
  const isDuplicate = written
    .all()
    .some(
      (other) =>
        other.authorId === post.authorId &&
        other.deletedAtMs === undefined &&
        nowMs - other.createdAtMs < DUPLICATE_MS &&
        other.replyTo === post.replyTo &&
        other.quote === post.quote &&
        normalized(other.text) === normalized(post.text),
    );
  if (isDuplicate && post.text.trim() !== '' && post.media.length === 0 && !post.poll) {
    throw forbidden('You are not allowed to create a Tweet with duplicate content.');
  }
  return latestOf(written.add({ ...post, visibleAtMs: nowMs + (fault('delayedVisibility')?.ms ?? 0) }));
}

function normalized(text: string): string {
  return text.normalize('NFC').trim().replaceAll(/\s+/g, ' ');
}

function draftOf(body: PostBody, request: XRequest): Omit<NewPost, 'visibleAtMs'> {
  const { nowMs } = request;
  const viewer = signedIn(request);
  const { text = '', media, poll, quote_tweet_id: quote, reply, reply_settings: audience, community_id: community, geo } = body;
  const exclusive = Object.entries({ media, poll, quote_tweet_id: quote }).filter(([, value]) => value !== undefined);
  if (text.trim() === '' && exclusive.length === 0) {
    throw invalid({ message: '$: one of [text, media, poll, quote_tweet_id, card_uri] is required' });
  }
  if (exclusive.length > 1) throw invalid({ message: `Fields ${exclusive.map(([name]) => name).join(', ')} are mutually exclusive.` });
  if (weightOf(text) > MOST_WEIGHT) throw invalid({ message: 'Your Tweet text is too long.' });
  if (geo && !findPlace(geo.place_id))
    throw invalid({ parameters: { 'geo.place_id': [geo.place_id] }, message: 'The place id is not valid.' });
  return {
    authorId: viewer.id,
    text,
    language: viewer.language,
    createdAtMs: nowMs,
    replyTo: reply && repliedTo(reply.in_reply_to_tweet_id, request).id,
    quote: quote === undefined ? undefined : quoted(quote, request).id,
    media: attachedFiles(media?.media_ids ?? [], request),
    poll: poll && {
      options: poll.options.map((label) => ({ label, crowd: 0 })),
      endsAtMs: nowMs + poll.duration_minutes * 60_000,
      multiple: false,
    },
    place: geo?.place_id,
    community: community === undefined ? undefined : communityOf(community, request),
    onTimeline: community === undefined ? undefined : (body.share_with_followers ?? false),
    audience: audience && AUDIENCES[audience],
    scheduled: false,
  };
}

/** Edits a post within 30 minutes. Only premium accounts and Enterprise apps can edit. */
function edit(
  previousId: string,
  { text, media, authorId }: Omit<NewPost, 'visibleAtMs'>,
  { written, nowMs, settings }: XRequest,
): PostVersion {
  if (settings.tier === 'selfServe' && !settings.premium.has(authorId)) throw forbidden('You are not permitted to perform this action.');
  const post = findWritten(previousId, written);
  if (!post || post.authorId !== authorId || post.deletedAtMs !== undefined) throw forbidden('You are not permitted to edit this Tweet.');
  if (!isEditable(post) || nowMs > post.createdAtMs + EDITABLE_MS || latestOf(post).id !== previousId) {
    throw invalid({ parameters: { 'edit_options.previous_post_id': [previousId] }, message: 'This Tweet can no longer be edited.' });
  }
  return latestOf(written.edit(post, { text, media, atMs: nowMs }));
}

/** The post that a reply answers. A self-serve app can answer only posts that mention or quote the account. */
function repliedTo(id: string, request: XRequest): StoredPost {
  const { snapshot, settings } = request;
  const viewer = signedIn(request);
  const post = referenced(id, request);
  if (!post) throw forbidden('You attempted to reply to a Tweet that is deleted or not visible to you.');
  if (!mayAnswer(viewer, post, snapshot)) throw forbidden('The original Tweet author restricted who can reply to this Tweet.');
  const isQuoted = post.quote !== undefined && snapshot.feed.find(post.quote)?.authorId === viewer.id;
  if (settings.tier === 'selfServe' && !isByViewerOrMentionsViewer(post, request) && !isQuoted) {
    throw forbidden(
      'Reply to this conversation is not allowed because you have not been mentioned or otherwise engaged by the author of the post you are replying to.',
    );
  }
  return post;
}

/** The post that a quote shows. A self-serve app can quote only conversations of the account. */
function quoted(id: string, request: XRequest): StoredPost {
  const { feed } = request.snapshot;
  const viewer = signedIn(request);
  const post = referenced(id, request);
  if (!post) throw forbidden('You attempted to quote a Tweet that is deleted or not visible to you.');
  const takesPart = rootOf(post, feed)?.authorId === viewer.id || feed.answersTo(post.id).some(({ authorId }) => authorId === viewer.id);
  if (request.settings.tier === 'selfServe' && !isByViewerOrMentionsViewer(post, request) && !takesPart) {
    throw forbidden(
      'Quoting this post is not allowed because you have not been mentioned or are not part of the conversation thread of the post you are quoting.',
    );
  }
  return post;
}

function isByViewerOrMentionsViewer({ authorId, text }: StoredPost, request: XRequest): boolean {
  const viewer = signedIn(request);
  return authorId === viewer.id || mentionsOf(text).has(viewer.handle);
}

/** A thread continues below a post of the account that reads do not show yet. */
function referenced(id: string, { findPost, snapshot, written, viewer }: XRequest): StoredPost | undefined {
  const stored = findWritten(id, written);
  const standing = stored && stored.authorId === viewer?.id && stored.deletedAtMs === undefined ? stored : undefined;
  const post: StoredPost | undefined = findPost(id)?.post ?? standing;
  return post?.repostOf === undefined ? post : snapshot.feed.find(post.repostOf);
}

function attachedFiles(ids: readonly string[], request: XRequest): StoredMedia[] {
  const { xMedia, nowMs } = request;
  const files = ids.flatMap((id) => xMedia.attachable(id, { ownerId: signedIn(request).id, nowMs }) ?? []);
  const isMixed = files.length > 1 && files.some(({ kind }) => kind !== 'image');
  if (files.length < ids.length || isMixed) {
    throw invalid({ parameters: { 'media.media_ids': [...ids] }, message: 'Your media IDs are invalid.' });
  }
  return files;
}

function communityOf(id: string, request: XRequest): string {
  const community = findCommunity(id, request.snapshot.communities);
  if (!community || !mayPostIn(community, signedIn(request).id)) throw forbidden('You are not permitted to post in this Community.');
  return community.id;
}
