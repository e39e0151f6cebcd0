import type { WriteOptions } from '#src/operation/call.ts';
import type { HttpResponse } from '#src/http/client.ts';
import { sourceOf } from '#src/social/files.ts';
import type { Post } from '#src/social/records/post.ts';
import { PlatformError } from '#src/errors.ts';
import { beforeWrite } from '#src/http/outcome.ts';
import { ignoreFaults, isFault } from '#src/http/errors.ts';
import { assertAsRequested, composed, type Draft, requestedStatus, type WireDraft } from './draft.ts';
import type { Account, Primitives, Recoveries } from '../account.ts';
import { rejected } from '../errors.ts';
import { findPosted } from './recovery.ts';
import { PLATFORM } from '../wire/parts.ts';
import { optionsKey, StatusParts } from '../wire/status-parts.ts';
import { StatusRow, toPost } from '../wire/status.ts';

interface Posts {
  readonly operations: Pick<Primitives, 'createPost' | 'editPost' | 'deletePost' | 'postDetail' | 'uploadMedia'>;
  readonly recover: Pick<Recoveries, 'createPost' | 'uploadMedia'>;
}

const SCOPE = 'write:statuses';

/** Posts a status, now or later. Servers that support idempotency keys create one status per key. */
export function postStatus(
  { api }: Pick<Account, 'api'>,
  json: WireDraft & { readonly scheduled_at?: string; readonly allowed_mentions?: readonly string[] },
  { key, signal }: WriteOptions,
): Promise<HttpResponse> {
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  return api.send({ method: 'POST', path: '/api/v1/statuses', json, headers, scope: SCOPE, budget: 'posts', creates: true, signal });
}

/** Posts of the signed-in account. */
export function postsOperations(context: Account): Posts {
  const { api, accounts, instances, statuses, files } = context;
  const pathOf = (id: string): string => `/api/v1/statuses/${encodeURIComponent(id)}`;

  /** Explains a refusal by the length of the text, because servers explain it in their own language. */
  async function whyRejected(error: unknown, text: string, signal: AbortSignal | undefined): Promise<unknown> {
    if (!isFault(error, 'rejected')) return error;
    const { textLimit, domain } = await instances.current(signal);
    const length = textLimit.lengthOf(text);
    return length > textLimit.most
      ? rejected(`the text is too long: ${domain} accepts ${textLimit.most} characters, and the text counts as ${length}.`, error)
      : error;
  }

  return {
    operations: {
      async createPost(draft, { key, signal }) {
        const json = await beforeWrite(composed(draft, { operation: 'createPost', signal }, context));
        try {
          const answer = await postStatus(context, json, { key, signal });
          const post = withQuote(toPost(answer.json(StatusRow), api.now()), json.quoted_status_id);
          assertAsRequested(requestedStatus(draft), { domain: api.domain, parts: answer.json(StatusParts), record: post });
          return post;
        } catch (error) {
          throw await whyRejected(error, draft.text, signal);
        }
      },

      async editPost({ post, text, files: input }, { signal }) {
        const row = await statuses.find(post, signal);
        // An edit removes every part that it omits.
        const poll = row.poll ? pollOfEdit(row.poll.poll, api.now()) : undefined;
        const json = {
          status: text,
          spoiler_text: row.spoiler_text,
          sensitive: row.sensitive,
          language: row.language,
          media_ids: input ? await files.idsOf(input, signal) : row.media_attachments.map(({ id }) => id),
          poll,
        };
        try {
          const edited = await api.send({ method: 'PUT', path: pathOf(row.id), json, scope: SCOPE, signal });
          return toPost(edited.json(StatusRow), api.now());
        } catch (error) {
          if (isFault(error, 'missing') && !(await isMine(row, signal))) throw notOfAccount(error);
          throw await whyRejected(error, text, signal);
        }
      },

      async deletePost({ post }, { signal }) {
        try {
          const id = await statuses.idOf(post, signal);
          await api.send({ method: 'DELETE', path: pathOf(id), scope: SCOPE, budget: 'deletes', signal });
        } catch (error) {
          if (!isFault(error, 'missing')) throw error;
          // Servers send the same response for a deleted post and for a post of another account.
          const row = await ignoreFaults(statuses.find(post, signal), 'missing');
          if (row)
            throw (await isMine(row, signal))
              ? rejected('the post still exists: this server does not delete posts.', error)
              : notOfAccount(error);
        }
        return true;
      },

      postDetail: async ({ identifier }, { signal }) => toPost(await statuses.find(identifier, signal), api.now()),

      async uploadMedia({ file, altText }, { signal }) {
        return { platform: PLATFORM, ...(await files.upload(sourceOf(file), altText, signal)), state: 'ready' };
      },
    },

    recover: {
      async createPost(draft, options) {
        const { text, poll, files: input = [] } = draft;
        const canBe = await likeness(draft, options.signal);
        const recovery = await findPosted({ text, canBe }, options, context);
        if (typeof recovery === 'object') return { found: toPost(recovery.found.row, api.now()) };
        if (poll === undefined && input.length === 0) return recovery;
        // Servers other than Mastodon may have posted the status without its poll or its files.
        if ((await instances.current(options.signal)).isMastodon) return recovery;
        const remainder = await findPosted({ text, canBe: remainderOf(canBe, draft) }, options, context);
        if (typeof remainder === 'string') return remainder;
        const { row, known } = remainder.found;
        const post = toPost(row, api.now());
        assertAsRequested(requestedStatus(draft), { domain: api.domain, parts: known, record: post });
        return { found: post };
      },

      // A repeated upload does no harm: the server deletes files without a post after a day.
      uploadMedia: async () => 'absent',
    },
  };

  async function isMine({ account }: StatusRow, signal: AbortSignal | undefined): Promise<boolean> {
    return account.id === (await accounts.myId(signal));
  }

  async function likeness(
    { files: input = [], replyTo, quote, poll, visibility = context.defaults.visibility }: Draft,
    signal: AbortSignal | undefined,
  ): Promise<(known: StatusParts) => boolean> {
    const canReplyTo = await replyTargets(replyTo, signal);
    const options = optionsKey(poll?.options);
    return ({ visibility: shown, replyTo: parent, mediaCount = input.length, pollOptions = options, isQuote }) =>
      (shown === undefined || (shown === 'direct') === (visibility === 'direct')) &&
      (parent === undefined || canReplyTo(parent)) &&
      mediaCount === input.length &&
      pollOptions === options &&
      (isQuote === undefined || isQuote === (quote !== undefined));
  }

  /** Whether a reply to a status can be the reply that was asked for; a deleted status leaves this open. */
  async function replyTargets(replyTo: string | undefined, signal: AbortSignal | undefined): Promise<(parent: string | null) => boolean> {
    if (replyTo === undefined) return (parent) => parent === null;
    const asked = await ignoreFaults(statuses.find(replyTo, signal), 'missing');
    // A reply to a boost is a reply to the boosted post.
    return (parent) => !asked || parent === asked.id || (asked.reblog?.id !== undefined && parent === asked.reblog.id);
  }
}

/** Whether a status can be the draft without its poll, or without some of its files. */
function remainderOf(canBe: (known: StatusParts) => boolean, { files = [] }: Draft): (known: StatusParts) => boolean {
  return (known) => {
    const { pollOptions, mediaCount = files.length } = known;
    return (
      mediaCount <= files.length && canBe({ ...known, mediaCount: undefined, pollOptions: pollOptions === '' ? undefined : pollOptions })
    );
  };
}

/** Adds the id of the quoted post, which a pending quote does not contain. */
function withQuote(post: Post, quotedId: string | undefined): Post {
  return post.quoted && quotedId !== undefined ? { ...post, quoted: { ...post.quoted, postId: quotedId } } : post;
}

function pollOfEdit({ options, endsAt, multiple }: NonNullable<Post['poll']>, now: Date): WireDraft['poll'] {
  const leftSeconds = Math.round((endsAt.getTime() - now.getTime()) / 1000);
  return { options: options.map(({ label }) => label), expires_in: Math.max(300, leftSeconds), multiple };
}

function notOfAccount(cause: unknown): PlatformError {
  return new PlatformError(`${PLATFORM}: this post belongs to another account.`, { platform: PLATFORM, fault: 'forbidden', cause });
}
