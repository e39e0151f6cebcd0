import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import { rootOf } from '../../social/conversations.ts';
import { findWritten, type PostVersion } from '../ids/post-ids.ts';
import { isId } from '../ids/snowflake.ts';
import { forbidden, invalidParameter, missing, notFound } from '../problem.ts';
import type { XRequest, XRoute } from '../request.ts';
import { answerPost, answerPosts } from '../wire/answer.ts';
import { textOf } from '../wire/post.ts';
import { viewOf } from '../wire/view.ts';
import { bodyOf, idIn, POST_KINDS, signedIn, valuesOf } from './parameters.ts';
import { postDraft } from '../writing/draft.ts';
import { PostForm } from '../writing/form.ts';
import { published } from '../writing/publish.ts';

const MOST_IDS = 100;
const READ = ['tweet.read', 'users.read'];
const seen = { method: 'GET', fields: POST_KINDS, expands: 'tweet', readsPosts: true } as const;
const Hidden = z.strictObject({ hidden: z.boolean() });

function find(
  ids: readonly string[],
  parameter: string,
  { findPost }: XRequest,
): { readonly found: readonly PostVersion[]; readonly errors: readonly JsonObject[] } {
  const wrong = ids.find((id) => !isId(id));
  if (wrong !== undefined) throw invalidParameter(parameter, wrong, 'is not valid');
  const looked = ids.map((id) => ({ id, version: findPost(id) }));
  return {
    found: looked.flatMap(({ version }) => version ?? []),
    errors: looked.flatMap(({ id, version }) => (version ? [] : [missing({ type: 'tweet', parameter, value: id })])),
  };
}

/** Posts by their ids, and what the signed-in account writes. */
export const postsRoutes: readonly XRoute[] = [
  {
    ...seen,
    path: '/tweets',
    access: { scopes: READ, app: true },
    limits: { app: 3500, user: 5000 },
    parameters: ['ids'],
    answer(request) {
      const { found, errors } = find(valuesOf(request, 'ids', MOST_IDS), 'ids', request);
      return answerPosts(found, { request, errors });
    },
  },
  {
    ...seen,
    path: '/tweets/:id',
    access: { scopes: READ, app: true },
    limits: { app: 450, user: 900 },
    answer(request) {
      const {
        found: [version],
        errors,
      } = find([request.param('id')], 'id', request);
      return version ? answerPost(version, request) : { errors };
    },
  },
  {
    method: 'POST',
    path: '/tweets',
    access: { scopes: [...READ, 'tweet.write'] },
    limits: { user: 100, appDay: 10_000 },
    status: 201,
    async answer(request) {
      const version = published(postDraft(await bodyOf(PostForm, request), request), request);
      const { text } = textOf(version, viewOf(request));
      return { data: { id: version.id, text, edit_history_tweet_ids: version.history } };
    },
  },
  {
    method: 'DELETE',
    path: '/tweets/:id',
    access: { scopes: [...READ, 'tweet.write'] },
    limits: { user: 50 },
    answer(request) {
      const { moment, meeting, findPost } = request;
      const viewer = signedIn(request);
      const id = idIn(request, 'id');
      const shown = findPost(id)?.post;
      if (shown?.repostOf !== undefined && shown.authorId === viewer.id) {
        moment.reactions.set('repost', { userId: viewer.id, postId: shown.repostOf }, { on: false, atMs: moment.now.getTime() });
        return { data: { deleted: true } };
      }
      const own = findWritten(id, meeting.written);
      if (!own && !shown) throw notFound();
      if (own?.authorId !== viewer.id) throw forbidden('You are not authorized to delete this Tweet.');
      meeting.written.delete(own, moment.now.getTime());
      return { data: { deleted: true } };
    },
  },
  {
    method: 'PUT',
    path: '/tweets/:id/hidden',
    access: { scopes: [...READ, 'tweet.moderate.write'] },
    limits: { user: 50 },
    async answer(request) {
      const { hidden } = await bodyOf(Hidden, request);
      const viewer = signedIn(request);
      const { feed, reactions, now } = request.moment;
      const post = request.findPost(idIn(request, 'id'))?.post;
      const root = post && rootOf(post, feed);
      if (!post || root?.authorId !== viewer.id || root.id === post.id)
        throw forbidden('You are not permitted to hide or unhide this reply.');
      reactions.set('hide', { userId: viewer.id, postId: post.id }, { on: hidden, atMs: now.getTime() });
      return { data: { hidden } };
    },
  },
];
