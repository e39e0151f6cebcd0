import { z } from 'zod';
import { hasReacted, whoReacted } from '../../social/crowd/who-reacted.ts';
import type { StoredPost } from '../../social/posts.ts';
import { isId, lowOf, snowflake } from '../ids/snowflake.ts';
import { forbidden, missing, XProblem } from '../problem.ts';
import type { XRequest, XRoute } from '../request.ts';
import { postsPage, usersPage } from '../wire/answer.ts';
import { excluded, kept } from './excluding.ts';
import { bodyOf, idIn, ownId, PAGED, personShown, POST_KINDS, USER_KINDS } from './parameters.ts';

const READ = ['tweet.read', 'users.read'];
const Tweet = z.strictObject({ tweet_id: z.string().refine(isId, 'is not an id') });
const users = { method: 'GET', fields: USER_KINDS, expands: 'user', parameters: PAGED } as const;
const posts = { method: 'GET', fields: POST_KINDS, expands: 'tweet', parameters: PAGED, readsPosts: true } as const;
const size = { least: 1, most: 100, usual: 100 };

/** The post that a path or a body names; of a repost what it passes on. */
function subject(id: string, { findPost, moment }: XRequest): StoredPost {
  const post = findPost(id)?.post;
  const found = post?.repostOf === undefined ? post : moment.feed.find(post.repostOf);
  if (found) return found;
  throw new XProblem(200, { errors: [missing({ type: 'tweet', parameter: 'id', value: id })] });
}

async function named(request: XRequest): Promise<StoredPost> {
  const { tweet_id: id } = await bodyOf(Tweet, request);
  return reachable(id, request);
}

function reachable(id: string, { findPost, moment }: XRequest): StoredPost {
  const post = findPost(id)?.post;
  const found = post?.repostOf === undefined ? post : moment.feed.find(post.repostOf);
  if (!found) throw new XProblem(404, { ...missing({ type: 'tweet', parameter: 'tweet_id', value: id }), status: 404 });
  return found;
}

function say(kind: 'like' | 'repost', post: StoredPost, { on, request }: { readonly on: boolean; readonly request: XRequest }): void {
  const { reactions, now } = request.moment;
  reactions.set(kind, { userId: ownId(request).id, postId: post.id }, { on, atMs: now.getTime() });
}

/** The id of the repost that somebody made of a post. */
function repostId(post: StoredPost, { moment, viewer }: XRequest): string {
  const said = moment.reactions.on('repost', post.id).find(({ userId, on }) => on && userId === viewer?.id);
  return snowflake(said?.atMs ?? post.createdAtMs, lowOf(`repost-${said?.number ?? 0}`));
}

/** What comes of posts. */
export const responsesRoutes: readonly XRoute[] = [
  {
    ...users,
    path: '/tweets/:id/liking_users',
    access: { scopes: [...READ, 'like.read'] },
    limits: { app: 75, user: 75 },
    answer(request) {
      const post = subject(idIn(request, 'id'), request);
      // Who likes what others wrote is between those two.
      const shown = post.authorId === request.viewer?.id ? whoReacted('like', post, request.moment) : [];
      return usersPage(shown, request, { size });
    },
  },
  {
    ...users,
    path: '/tweets/:id/retweeted_by',
    access: { scopes: READ, app: true },
    limits: { app: 75, user: 75 },
    answer: (request) => usersPage(whoReacted('repost', subject(idIn(request, 'id'), request), request.moment), request, { size }),
  },
  {
    ...posts,
    path: '/tweets/:id/quote_tweets',
    access: { scopes: READ, app: true },
    limits: { app: 75, user: 75 },
    parameters: [...PAGED, 'exclude'],
    answer(request) {
      const quotes = request.moment.feed.quotesOf(subject(idIn(request, 'id'), request).id);
      return postsPage(kept(quotes, excluded(request)), request, { size: { least: 10, most: 100, usual: 10 } });
    },
  },
  {
    ...posts,
    path: '/tweets/:id/retweets',
    access: { scopes: READ, app: true },
    limits: { app: 75, user: 75 },
    answer(request) {
      const { id } = subject(idIn(request, 'id'), request);
      return postsPage(
        request.moment.feed.timeline().filter(({ repostOf }) => repostOf === id),
        request,
        { size },
      );
    },
  },
  {
    ...posts,
    path: '/users/:id/liked_tweets',
    access: { scopes: [...READ, 'like.read'] },
    limits: { app: 75, user: 75 },
    answer(request) {
      const person = personShown(request);
      const { reactions, feed } = request.moment;
      const liked =
        person.id === request.viewer?.id ? reactions.by('like', person.id).flatMap(({ postId }) => feed.find(postId) ?? []) : [];
      return postsPage(liked, request, { size: { least: 5, most: 100, usual: 100 } });
    },
  },
  {
    method: 'POST',
    path: '/users/:id/likes',
    access: { scopes: [...READ, 'like.write'] },
    limits: { user: 50, userDay: 1000 },
    enterprise: true,
    async answer(request) {
      say('like', await named(request), { on: true, request });
      return { data: { liked: true } };
    },
  },
  {
    method: 'DELETE',
    path: '/users/:id/likes/:tweet',
    access: { scopes: [...READ, 'like.write'] },
    limits: { user: 50, userDay: 1000 },
    enterprise: true,
    answer(request) {
      say('like', reachable(idIn(request, 'tweet'), request), { on: false, request });
      return { data: { liked: false } };
    },
  },
  {
    method: 'POST',
    path: '/users/:id/retweets',
    access: { scopes: [...READ, 'tweet.write'] },
    limits: { user: 50 },
    async answer(request) {
      const viewer = ownId(request);
      const post = await named(request);
      const { people } = request.moment;
      if (people.isProtected(post.authorId) && post.authorId !== viewer.id)
        throw forbidden('You are not permitted to perform this action.');
      if (!hasReacted('repost', { person: viewer, post }, request.moment)) say('repost', post, { on: true, request });
      return { data: { rest_id: repostId(post, request), retweeted: true } };
    },
  },
  {
    method: 'DELETE',
    path: '/users/:id/retweets/:tweet',
    access: { scopes: [...READ, 'tweet.write'] },
    limits: { user: 50 },
    answer(request) {
      say('repost', reachable(idIn(request, 'tweet'), request), { on: false, request });
      return { data: { retweeted: false } };
    },
  },
];
