import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { PlatformError, UnsupportedOperation, UnsupportedParameter, ValidationError } from '#src/errors.ts';
import type { WriteOptions } from '#src/operation/call.ts';
import { withoutHandlesOfOthers } from '#src/operation/text/mentions.ts';
import type { Post } from '#src/social/records/post.ts';
import { WAYS } from '../auth/access.ts';
import { beforeWrite } from '#src/http/outcome.ts';
import { ignoreFaults } from '#src/http/errors.ts';
import type { Primitives, XApi } from '../client.ts';
import { isSameSpacing, isSameText } from '../text/same-text.ts';
import { oneOf, required } from '../wire/envelope.ts';
import { id, instantOf, maybe } from '../wire/parts.ts';
import { postUrl } from '../wire/post.ts';
import { toPerson } from '../wire/user.ts';
import type { Files } from './media.ts';
import { postIdOf, type PostReader, readPost } from './read-post.ts';
import type { UserNames } from './users.ts';

/** The parameters of a new post. */
export type Draft = Parameters<Primitives['createPost']>[0];

const REPLY_SETTINGS = {
  ByInvitation: 'mentionedUsers',
  Community: 'following',
  Subscribers: 'subscribers',
  Verified: 'verified',
} as const;

/** The body of the request; `mediaIds` are the uploaded files. */
function bodyOf(draft: Draft, mediaIds: readonly string[]): object {
  const { text, filter, replyTo, quote, poll, place, community, postOnTimeline } = draft;
  return {
    ...(text !== '' && { text: withoutHandlesOfOthers(text) }),
    ...(mediaIds.length > 0 && { media: { media_ids: mediaIds } }),
    ...(poll && { poll: { options: poll.options, duration_minutes: poll.durationMinutes } }),
    ...(replyTo !== undefined && { reply: { in_reply_to_tweet_id: postIdOf(replyTo) } }),
    ...(quote !== undefined && { quote_tweet_id: postIdOf(quote) }),
    ...(filter && { reply_settings: replySettingsOf(filter) }),
    ...(place !== undefined && { geo: { place_id: place } }),
    ...(community !== undefined && { community_id: community, share_with_followers: postOnTimeline }),
  };
}

function replySettingsOf(filter: NonNullable<Draft['filter']>): string {
  if (filter === 'Followers' || filter === 'Nobody') {
    throw new UnsupportedParameter({
      platform: 'x',
      operation: 'createPost',
      parameter: 'filter',
      value: filter,
      reason: 'NO_FEATURE',
      alternatives: Object.keys(REPLY_SETTINGS),
    });
  }
  return REPLY_SETTINGS[filter];
}

/** Refuses drafts that X would refuse and the capabilities do not cover, before any upload. */
function assertTaken({ text, files = [], poll, quote }: Draft): void {
  if (text.trim() === '' && files.length === 0 && !poll) {
    throw new ValidationError('createPost: text: a post without files has to say something', { path: 'text' });
  }
  if (poll && quote !== undefined) throw new ValidationError('createPost: poll: X takes no quote beside a poll', { path: 'poll' });
}

const Made = oneOf(z.object({ id, text: maybe(z.string()) }));

interface WritingOptions {
  readonly api: XApi;
  readonly reader: PostReader;
  readonly names: UserNames;
  readonly files: Files;
  readonly clock: Clock;
}

type Writing = Pick<Primitives, 'createPost' | 'editPost' | 'deletePost'>;

/** Posts of the account. */
export function writing({ api, reader, names, files, clock }: WritingOptions): Writing {
  async function make(body: object, draft: Draft, { signal }: WriteOptions): Promise<Post> {
    const me = await beforeWrite(names.me(signal));
    const { answer } = await api.read(Made, { method: 'POST', path: '/2/tweets', json: body, ways: WAYS.user, creates: true, signal });
    const made = required(answer, 'the new post').id;
    // The post exists, so a failed read does not make the write fail.
    return readPost(reader, made, signal).catch((): Post => {
      const author = toPerson(me);
      const createdAt = instantOf(made) ?? new Date(clock.nowMs());
      return {
        platform: 'x',
        id: made,
        url: postUrl(author, made),
        author,
        text: draft.text,
        entities: [],
        createdAt,
        replyTo: draft.replyTo === undefined ? undefined : { postId: postIdOf(draft.replyTo) },
        quoted: draft.quote === undefined ? undefined : { postId: postIdOf(draft.quote), state: 'accepted' },
        media: [],
        communityId: draft.community,
        visibility: me.protected ? 'followers' : 'public',
        replyAudience: 'everyone',
        counts: { likes: 0, reposts: 0, replies: 0, quotes: 0 },
        fetchedAt: createdAt,
      };
    });
  }

  /** Refuses a thread below a post of another account. */
  async function assertThreadOfAccount({ batchCompose, replyTo }: Draft, signal: AbortSignal | undefined): Promise<void> {
    if (!batchCompose || replyTo === undefined) return;
    const [parent, me] = await Promise.all([readPost(reader, postIdOf(replyTo), signal), names.me(signal)]);
    if (parent.author.id === me.id) return;
    const message = 'createPost: replyTo: a thread goes on below a post of your own; without batchCompose it is an answer';
    throw new ValidationError(message, { path: 'replyTo' });
  }

  return {
    async createPost(draft, options) {
      assertTaken(draft);
      // Throws for invalid ids before any upload.
      bodyOf(draft, []);
      await beforeWrite(assertThreadOfAccount(draft, options.signal));
      const mediaIds = await beforeWrite(files.idsOf(draft.files ?? [], 'post', options));
      return make(bodyOf(draft, mediaIds), draft, options).catch((error: unknown) => {
        throw draft.quote !== undefined && isRefusedQuote(error, draft) ? noQuotes() : error;
      });
    },

    async editPost({ post, text, files: next }, options) {
      const { signal } = options;
      const before = await readLatest(reader, postIdOf(post), signal);
      // Each edit makes a new post on X, so an unchanged post is not edited.
      const written = withoutHandlesOfOthers(text);
      if (isSameText(written, before.text) && isSameSpacing(written, before.text) && next === undefined) return before;
      const kept = before.media.map((one) => one.id);
      const mediaIds = next ? await files.idsOf(next, 'post', options) : kept;
      const draft: Draft = { text, batchCompose: false, postOnTimeline: false };
      const body = { ...bodyOf(draft, mediaIds), edit_options: { previous_post_id: before.id } };
      return make(body, draft, options).catch((error: unknown) => {
        throw isRefusedEdit(error) ? noEdits() : error;
      });
    },

    async deletePost({ post }, { signal }) {
      const params = { id: postIdOf(post) };
      await ignoreFaults(api.send({ method: 'DELETE', path: '/2/tweets/:id', params, ways: WAYS.user, signal }), 'missing');
      return true;
    },
  };
}

/** The latest version of a post. */
async function readLatest(reader: PostReader, postId: string, signal: AbortSignal | undefined): Promise<Post> {
  let latest = postId;
  const post = await readPost({ ...reader, onPost: ({ versions }) => (latest = versions.at(-1) ?? latest) }, postId, signal);
  return latest === postId ? post : readPost(reader, latest, signal);
}

/** Whether X refuses the quote. If the post is also a reply, X does not report which of the two it refuses. */
function isRefusedQuote(error: unknown, { replyTo }: Draft): boolean {
  return error instanceof PlatformError && (error.cause === 'plan' || (error.cause === 'notSummoned' && replyTo === undefined));
}

/** Whether X refuses an edit, for example because the account does not pay for edits. X gives no reason. */
function isRefusedEdit(error: unknown): boolean {
  return error instanceof PlatformError && (error.cause === 'plan' || (error.fault === 'forbidden' && error.cause === 'noReason'));
}

function noEdits(): UnsupportedOperation {
  return new UnsupportedOperation({
    platform: 'x',
    operation: 'editPost',
    reason: 'TIER_REQUIRED',
    detail: 'X lets accounts edit that pay for X Premium, and posts of their own only.',
    alternatives: ['deletePost and createPost'],
  });
}

function noQuotes(): UnsupportedParameter {
  return new UnsupportedParameter({
    platform: 'x',
    operation: 'createPost',
    parameter: 'quote',
    reason: 'TIER_REQUIRED',
    detail: 'The plan of the app lets it quote only who called the account.',
    alternatives: ['the address of the post at the end of the text'],
  });
}
