import { mayAnswer } from '../../social/audience.ts';
import { mayPostIn } from '../../social/communities.ts';
import { findPlace } from '../../social/places.ts';
import type { NewPost, StoredMedia, StoredPost } from '../../social/posts.ts';
import type { WorldPerson } from '../../world/world.ts';
import { findCommunity } from '../ids/list-ids.ts';
import { findWritten } from '../ids/post-ids.ts';
import { forbidden, invalid } from '../problem.ts';
import type { XRequest } from '../request.ts';
import { signedIn } from '../routes/parameters.ts';
import { weightOf } from '../wire/weight.ts';
import type { PostForm } from './form.ts';
import { mayQuote, isSummoned } from './summons.ts';

const MOST_WEIGHT = 280;
const MINUTE_MS = 60_000;
const AUDIENCES = { mentionedUsers: 'ByInvitation', following: 'Community', subscribers: 'Subscribers', verified: 'Verified' } as const;

/** What is to be written, or how what was written shall be from now on. */
export interface Draft {
  readonly post: Omit<NewPost, 'visibleAtMs'>;
  /** The id of the version that it takes the place of. */
  readonly edits: string | undefined;
}

/** What a form becomes; refuses what X does not take. */
export function postDraft(form: PostForm, request: XRequest): Draft {
  const { moment } = request;
  const viewer = signedIn(request);
  const nowMs = moment.now.getTime();
  checkParts(form);
  const text = form.text ?? '';
  checkText(text);
  const audience = form.reply_settings ?? form.poll?.reply_settings;
  return {
    edits: form.edit_options?.previous_post_id,
    post: {
      authorId: viewer.id,
      text,
      language: viewer.language,
      createdAtMs: nowMs,
      replyTo: form.reply && answered(form.reply.in_reply_to_tweet_id, viewer, request).id,
      quote: form.quote_tweet_id === undefined ? undefined : quoted(form.quote_tweet_id, viewer, request).id,
      media: attached(form.media?.media_ids ?? [], viewer, request),
      poll: form.poll && {
        options: form.poll.options.map((label) => ({ label, crowd: 0 })),
        endsAtMs: nowMs + form.poll.duration_minutes * MINUTE_MS,
        multiple: false,
      },
      place: form.geo && placeOf(form.geo.place_id),
      community: form.community_id === undefined ? undefined : communityOf(form.community_id, viewer, request),
      onTimeline: form.community_id === undefined ? undefined : (form.share_with_followers ?? false),
      audience: audience && AUDIENCES[audience],
      scheduled: false,
    },
  };
}

function checkParts({ text = '', media, poll, quote_tweet_id: quote, card_uri: card }: PostForm): void {
  if (text.trim() === '' && !media && !poll && quote === undefined && card === undefined) {
    throw invalid({ message: '$: one of [text, media, poll, quote_tweet_id, card_uri] is required' });
  }
  const exclusive = Object.entries({ media, poll, quote_tweet_id: quote, card_uri: card }).filter(([, value]) => value !== undefined);
  if (exclusive.length > 1) {
    throw invalid({ message: `Fields ${exclusive.map(([name]) => name).join(', ')} are mutually exclusive.` });
  }
}

function checkText(text: string): void {
  if (weightOf(text) > MOST_WEIGHT) {
    throw invalid({
      message:
        'Your Tweet text is too long. For more information on how Twitter determines text length see https://github.com/twitter/twitter-text.',
    });
  }
  if ((text.match(/(?<![\p{L}\p{N}_$])\$[A-Za-z]{1,6}\b/gu) ?? []).length > 1)
    throw forbidden('Your post may contain at most one cashtag.');
}

function answered(id: string, viewer: WorldPerson, request: XRequest): StoredPost {
  const post = subjectOf(id, request);
  if (!post) throw forbidden('You attempted to reply to a Tweet that is deleted or not visible to you.');
  if (!mayAnswer(viewer, post, request.moment)) throw forbidden('The original Tweet author restricted who can reply to this Tweet.');
  if (request.settings.tier === 'selfServe' && !isSummoned(viewer, post, request.moment)) {
    throw forbidden(
      'Reply to this conversation is not allowed because you have not been mentioned or otherwise engaged by the author of the post you are replying to.',
    );
  }
  return post;
}

function quoted(id: string, viewer: WorldPerson, request: XRequest): StoredPost {
  const post = subjectOf(id, request);
  if (!post) throw forbidden('You attempted to quote a Tweet that is deleted or not visible to you.');
  if (request.settings.tier === 'selfServe' && !mayQuote(viewer, post, request.moment)) {
    throw forbidden(
      'Quoting this post is not allowed because you have not been mentioned or are not part of the conversation thread of the post you are quoting.',
    );
  }
  return post;
}

/** A post, or of a repost what it passes on. */
function subjectOf(id: string, { findPost, moment, meeting, viewer }: XRequest): StoredPost | undefined {
  const own = findWritten(id, meeting.written);
  // Who writes a thread goes on below what reads may not show yet.
  const standing = own && own.authorId === viewer?.id && own.deletedAtMs === undefined ? own : undefined;
  const post: StoredPost | undefined = findPost(id)?.post ?? standing;
  return post?.repostOf === undefined ? post : moment.feed.find(post.repostOf);
}

function attached(ids: readonly string[], viewer: WorldPerson, { media, moment }: XRequest): StoredMedia[] {
  const found = ids.map((id) => ({ id, file: media.attachable(id, { ownerId: viewer.id, nowMs: moment.now.getTime() }) }));
  const wrong = found.filter(({ file }) => !file);
  const files = found.flatMap(({ file }) => file ?? []);
  const mixed = files.length > 1 && files.some(({ kind }) => kind !== 'image');
  if (wrong.length > 0 || mixed) {
    throw invalid({
      parameters: { 'media.media_ids': mixed ? [...ids] : wrong.map(({ id }) => id) },
      message: 'Your media IDs are invalid.',
    });
  }
  return files;
}

function placeOf(id: string): string {
  if (!findPlace(id)) throw invalid({ parameters: { 'geo.place_id': [id] }, message: 'The place id is not valid.' });
  return id;
}

function communityOf(id: string, viewer: WorldPerson, { moment }: XRequest): string {
  const community = findCommunity(id, moment.communities);
  if (!community || !mayPostIn(community, viewer.id)) throw forbidden('You are not permitted to post in this Community.');
  return community.id;
}
