import { z } from 'zod';
import { PlatformError, UnsupportedOperation, UnsupportedParameter, ValidationError } from '#src/errors.ts';
import type { WriteOptions } from '#src/clients/operation/call.ts';
import { textBehind } from '#src/clients/operation/text/content-warning.ts';
import { withoutHandlesOfOthers } from '../text/limit.ts';
import type { Media } from '#src/clients/social/records/media.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import { WAYS } from '../auth/access.ts';
import { beforeWrite } from '#src/http/outcome.ts';
import { ignoreFaults } from '#src/http/errors.ts';
import type { Primitives, XApi } from '../client.ts';
import { isSameSpacing, isSameText, withoutAddressees } from '../text/same-text.ts';
import { oneOf, required } from '../wire/envelope.ts';
import { id } from '../wire/parts.ts';
import { createdPost, type Draft, editedPost, replySettingOf, withWarning } from './created-post.ts';
import { type Files, mediaWarningOf } from './media.ts';
import { postIdOf, type PostReader, readPost } from './read-post.ts';
import type { UserNames } from './users.ts';

/** The body of the request; `mediaIds` are the uploaded files. */
function bodyOf(draft: Draft, mediaIds: readonly string[]): object {
  const { text, filter, replyTo, quote, poll, place, community, postOnTimeline } = draft;
  return {
    ...(text !== '' && { text: withoutHandlesOfOthers(text) }),
    ...(mediaIds.length > 0 && { media: { media_ids: mediaIds } }),
    ...(poll && { poll: { options: poll.options, duration_minutes: poll.durationMinutes } }),
    ...(replyTo !== undefined && { reply: { in_reply_to_tweet_id: postIdOf(replyTo) } }),
    ...(quote !== undefined && { quote_tweet_id: postIdOf(quote) }),
    ...(filter && { reply_settings: replySettingOf(filter) }),
    ...(place !== undefined && { geo: { place_id: place } }),
    ...(community !== undefined && { community_id: community, share_with_followers: postOnTimeline }),
  };
}

/** Refuses drafts that X would refuse and the capabilities do not cover, before any upload. */
export function assertTaken({ text, files = [], poll }: Draft): void {
  if (text.trim() === '' && files.length === 0 && !poll) {
    throw new ValidationError('createPost: text: the text of a post without files is empty', { path: 'text' });
  }
}

const Made = oneOf(z.object({ id }));

/** The number of posts whose author is remembered. */
const MOST_REMEMBERED = 1000;

type Sent = Parameters<typeof createdPost>[1];

interface WritingOptions {
  readonly api: XApi;
  readonly reader: PostReader;
  readonly names: UserNames;
  readonly files: Files;
}

type Writing = Pick<Primitives, 'createPost' | 'editPost' | 'deletePost'>;

/** Posts of the account. */
export function writing({ api, reader, names, files }: WritingOptions): Writing {
  /** The latest versions of posts that were edited here, by the id in the edit. X bills each read. */
  const versions = new Map<string, string>();

  /** The authors of the latest posts that were made here, by post id. A thread goes on below them without a read. */
  const authors = new Map<string, string>();

  async function send(draft: Draft, media: readonly Media[], { signal }: WriteOptions, more: object = {}): Promise<Sent> {
    const me = await beforeWrite(names.me(signal));
    const ids = media.map((one) => one.id);
    const json = { ...bodyOf(draft, ids), ...more };
    const { answer, fetchedAt } = await api.read(Made, { method: 'POST', path: '/2/tweets', json, ways: WAYS.user, creates: true, signal });
    const { id: made } = required(answer, 'the new post');
    authors.set(made, me.id);
    for (const oldest of [...authors.keys()].slice(0, -MOST_REMEMBERED)) authors.delete(oldest);
    return { id: made, me, media, fetchedAt };
  }

  /** Refuses a thread below a post of another account. */
  async function assertThreadOfAccount({ batchCompose, replyTo }: Draft, signal: AbortSignal | undefined): Promise<void> {
    if (!batchCompose || replyTo === undefined) return;
    const me = await names.me(signal);
    const parent = postIdOf(replyTo);
    const author = authors.get(parent) ?? (await readPost(reader, parent, signal)).author.id;
    if (author === me.id) return;
    const message = 'createPost: replyTo: a thread continues a post of the account; without batchCompose, the post is a reply';
    throw new ValidationError(message, { path: 'replyTo' });
  }

  return {
    async createPost(written, options) {
      const draft = withWarning(written);
      assertTaken(draft);
      // Throws for invalid ids before any upload.
      bodyOf(draft, []);
      await beforeWrite(assertThreadOfAccount(draft, options.signal));
      const media = await beforeWrite(files.putAll(draft.files ?? [], 'post', { ...options, warning: mediaWarningOf(draft) }));
      const sent = await send(draft, media, options).catch((error: unknown) => {
        throw draft.quote !== undefined && isRefusedQuote(error, draft) ? noQuotes() : error;
      });
      return createdPost(draft, sent);
    },

    async editPost({ post, text: below, files: next, ...covering }, options) {
      const { signal } = options;
      const text = textBehind(covering.warning, below);
      const id = postIdOf(post);
      const before = await readLatest(reader, versions.get(id) ?? id, signal);
      // Each edit makes a new post on X, so an unchanged post is not edited.
      const written = withoutHandlesOfOthers(text);
      const shown = before.replyTo ? withoutAddressees(written, before.text) : before.text;
      if (isSameText(written, shown) && isSameSpacing(written, shown) && next === undefined) return before;
      const media = next ? await files.putAll(next, 'post', { ...options, warning: mediaWarningOf(covering) }) : before.media;
      const draft: Draft = { text, batchCompose: false, postOnTimeline: false };
      const sent = await send(draft, media, options, { edit_options: { previous_post_id: before.id } }).catch((error: unknown) => {
        throw isRefusedEdit(error) ? noEdits() : error;
      });
      versions.set(id, sent.id);
      for (const oldest of [...versions.keys()].slice(0, -MOST_REMEMBERED)) versions.delete(oldest);
      return editedPost(before, { ...sent, text });
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
    detail: 'X allows editing only with X Premium, and only posts of the account.',
    alternatives: ['deletePost and createPost'],
  });
}

function noQuotes(): UnsupportedParameter {
  return new UnsupportedParameter({
    platform: 'x',
    operation: 'createPost',
    parameter: 'quote',
    reason: 'TIER_REQUIRED',
    detail: 'The plan of the app allows quotes only of users who mentioned the account.',
    alternatives: ['the address of the post at the end of the text'],
  });
}
