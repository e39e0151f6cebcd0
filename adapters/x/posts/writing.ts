import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { PlatformError, UnsupportedOperation, UnsupportedParameter, ValidationError } from '#src/errors.ts';
import type { WriteOptions } from '#src/operation/call.ts';
import { withoutHandlesOfOthers } from '#src/operation/text/handles-of-others.ts';
import type { Post } from '#src/social/records/post.ts';
import { WAYS } from '../access/access.ts';
import type { Primitives, XApi } from '../api.ts';
import { beforeSending } from '../before-sending.ts';
import type { Files } from '../media/files.ts';
import type { UserNames } from '../users/names.ts';
import { oneOf, required } from '../wire/envelope.ts';
import { id, instantOf, maybe } from '../wire/parts.ts';
import { addressOf } from '../wire/post.ts';
import { toPerson } from '../wire/user.ts';
import { assertTaken, bodyOf, type Draft } from './body.ts';
import { readPost, type PostReader } from './detail.ts';
import { postIdOf } from './post-id.ts';
import { isSameSpacing, isSameText } from './same-text.ts';

const Made = oneOf(z.object({ id, text: maybe(z.string()) }));

export interface WritingOptions {
  readonly api: XApi;
  readonly reader: PostReader;
  readonly names: UserNames;
  readonly files: Files;
  readonly clock: Clock;
}

type Writing = Pick<Primitives, 'createPost' | 'editPost' | 'deletePost'>;

/** What the account writes. */
export function writing({ api, reader, names, files, clock }: WritingOptions): Writing {
  async function make(body: object, draft: Draft, { signal }: WriteOptions): Promise<Post> {
    const me = await beforeSending(names.me(signal));
    const { answer } = await api.read(Made, { method: 'POST', path: '/2/tweets', json: body, ways: WAYS.user, creates: true, signal });
    const made = required(answer, 'the new post').id;
    // It stands: whatever happens to the look at it, the write was a success.
    return readPost(reader, made, signal).catch((): Post => {
      const author = toPerson(me);
      const createdAt = instantOf(made) ?? new Date(clock.nowMs());
      return {
        platform: 'x',
        id: made,
        url: addressOf(author, made),
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

  /** A thread goes on below a post of the account's own. */
  async function assertOwnThread({ batchCompose, replyTo }: Draft, signal: AbortSignal | undefined): Promise<void> {
    if (!batchCompose || replyTo === undefined) return;
    const [parent, me] = await Promise.all([readPost(reader, postIdOf(replyTo), signal), names.me(signal)]);
    if (parent.author.id === me.id) return;
    const message = 'createPost: replyTo: a thread goes on below a post of your own; without batchCompose it is an answer';
    throw new ValidationError(message, { path: 'replyTo' });
  }

  return {
    async createPost(draft, options) {
      assertTaken(draft);
      // The ids in it are read before anything is uploaded.
      bodyOf(draft, []);
      await beforeSending(assertOwnThread(draft, options.signal));
      const mediaIds = await beforeSending(files.idsOf(draft.files ?? [], 'post', options));
      return make(bodyOf(draft, mediaIds), draft, options).catch((error: unknown) => {
        throw draft.quote !== undefined && isRefusedQuote(error, draft) ? noQuotes() : error;
      });
    },

    async editPost({ post, text, files: next }, options) {
      const { signal } = options;
      const before = await readLatest(reader, postIdOf(post), signal);
      // X makes a new post of each edit: one that says the same already is left as it is.
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
      try {
        await api.send({ method: 'DELETE', path: '/2/tweets/:id', params, ways: WAYS.user, signal });
      } catch (error) {
        if (!(error instanceof PlatformError) || error.fault !== 'missing') throw error;
      }
      return true;
    },
  };
}

/** The post as it stands after its last edit. */
async function readLatest(reader: PostReader, postId: string, signal: AbortSignal | undefined): Promise<Post> {
  let latest = postId;
  const post = await readPost({ ...reader, onPost: ({ versions }) => (latest = versions.at(-1) ?? latest) }, postId, signal);
  return latest === postId ? post : readPost(reader, latest, signal);
}

/** Of an answer that is a quote as well, X does not say which of the two it refuses. */
function isRefusedQuote(error: unknown, { replyTo }: Draft): boolean {
  return error instanceof PlatformError && (error.cause === 'plan' || (error.cause === 'notSummoned' && replyTo === undefined));
}

/** Of an edit X says no more than that it may not be, be it that the account does not pay for it. */
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
