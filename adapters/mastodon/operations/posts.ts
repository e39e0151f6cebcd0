import type { WriteOptions } from '#src/clients/operation/call.ts';
import type { HttpResponse } from '#src/http/client.ts';
import { sourceOf } from '#src/clients/social/files.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import { PlatformError } from '#src/errors.ts';
import { textBehind } from '#src/clients/operation/text/content-warning.ts';
import { beforeWrite } from '#src/http/outcome.ts';
import { ignoreFaults, isFault } from '#src/http/errors.ts';
import type { AccountContext, Primitives, Recoveries } from '../account-context.ts';
import { composed, type WireDraft } from './draft.ts';
import { composedEdit, edited } from './edits.ts';
import { sendWithFiles } from './media.ts';
import { assertAsRequested, removeStatus, requestedStatus } from './published.ts';
import { rejected } from '../errors.ts';
import { recoverPost } from './recover-post.ts';
import { PLATFORM } from '../wire/parts.ts';
import { StatusParts } from '../wire/status-parts.ts';
import { StatusRow, toPost } from '../wire/status.ts';

interface Posts {
  readonly operations: Pick<Primitives, 'createPost' | 'editPost' | 'deletePost' | 'postDetail' | 'uploadMedia'>;
  readonly recover: Pick<Recoveries, 'createPost' | 'uploadMedia'>;
}

const SCOPE = 'write:statuses';

/** Posts a status, now or later. Servers that support idempotency keys create one status per key. */
export function postStatus(
  { api, clock }: Pick<AccountContext, 'api' | 'clock'>,
  json: WireDraft & { readonly scheduled_at?: string; readonly allowed_mentions?: readonly string[] },
  { key, signal }: WriteOptions,
): Promise<HttpResponse> {
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  const request = {
    method: 'POST',
    path: '/api/v1/statuses',
    json,
    headers,
    scope: SCOPE,
    budget: 'posts',
    creates: true,
    signal,
  } as const;
  return sendWithFiles(json.media_ids, () => api.send(request), { clock, signal });
}

/** Posts of the signed-in account. */
export function postsOperations(context: AccountContext): Posts {
  const { api, accounts, instances, statuses, files } = context;
  const remove = (id: string, signal: AbortSignal | undefined): Promise<unknown> => removeStatus(context, id, signal);

  /** Explains a refusal by the length of the text, because servers explain it in their own language. */
  async function whyRejected(error: unknown, text: string, signal: AbortSignal | undefined): Promise<unknown> {
    if (!isFault(error, 'rejected')) return error;
    const { textLimit, domain } = await instances.current(signal);
    const length = textLimit.lengthOf(text);
    if (length <= textLimit.most) return error;
    const message = `${PLATFORM}: the text is too long: ${domain} accepts ${textLimit.most} characters, and the text counts as ${length}.`;
    return new PlatformError(message, { platform: PLATFORM, fault: 'rejected', cause: error });
  }

  return {
    operations: {
      async createPost(draft, { key, signal }) {
        const { json, visibility } = await beforeWrite(composed(draft, { operation: 'createPost', signal }, context));
        const warning = json.spoiler_text;
        try {
          const answer = await postStatus(context, json, { key, signal });
          const post = withQuote(toPost(answer.json(StatusRow), api.now()), json.quoted_status_id);
          await assertAsRequested(requestedStatus({ ...draft, warning, visibility }), {
            domain: api.domain,
            parts: answer.json(StatusParts),
            record: post,
            remove: () => remove(post.id, signal),
          });
          return post;
        } catch (error) {
          throw await whyRejected(error, textBehind(json.spoiler_text || undefined, json.status), signal);
        }
      },

      async editPost(params, { signal }) {
        const row = await statuses.find(params.post, signal);
        const json = await composedEdit(params, row, signal, context);
        try {
          const send = () => edited(row.id, json, signal, context);
          return toPost(await sendWithFiles(params.files && json.media_ids, send, { clock: context.clock, signal }), api.now());
        } catch (error) {
          if (isFault(error, 'missing') && !(await isMine(row, signal))) throw notOfAccount(error);
          throw await whyRejected(error, textBehind(json.spoiler_text || undefined, json.status), signal);
        }
      },

      async deletePost({ post }, { signal }) {
        try {
          const id = await statuses.idOf(post, signal);
          await remove(id, signal);
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
      createPost: recoverPost(context),

      // A repeated upload does no harm: the server deletes files without a post after a day.
      uploadMedia: async () => 'absent',
    },
  };

  async function isMine({ account }: StatusRow, signal: AbortSignal | undefined): Promise<boolean> {
    return account.id === (await accounts.myId(signal));
  }
}

/** Adds the id of the quoted post, which a pending quote does not contain. */
function withQuote(post: Post, quotedId: string | undefined): Post {
  return post.quoted && quotedId !== undefined ? { ...post, quoted: { ...post.quoted, postId: quotedId } } : post;
}

function notOfAccount(cause: unknown): PlatformError {
  return new PlatformError(`${PLATFORM}: this post belongs to another account.`, { platform: PLATFORM, fault: 'forbidden', cause });
}
