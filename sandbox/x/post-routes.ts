import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { analyticsOf } from '../social/analytics.ts';
import { hasReacted, whoReacted } from '../social/engagement.ts';
import type { StoredPost } from '../social/posts.ts';
import { answerPosts, postsPage, single, usersPage } from './answer.ts';
import { PostBody, publish } from './drafts.ts';
import { findWritten, isId, lowBitsOf, snowflake, type PostVersion } from './ids.ts';
import { textOf } from './post-json.ts';
import { forbidden, invalid, invalidParameter, missing, missingTarget, notAuthorized, notFound, XProblem } from './problem.ts';
import {
  bodyOf,
  idIn,
  instantIn,
  originalOf,
  viewerInPath,
  PAGED,
  POSTS,
  READ,
  signedIn,
  targetPost,
  USERS,
  valuesOf,
  type XRequest,
  route,
  type XRoute,
} from './request.ts';

const Target = z.strictObject({ tweet_id: z.string().refine(isId, 'is not an id') });
const SIZE = { least: 1, most: 100, usual: 100 };

/** `/2/tweets`, likes, reposts and bookmarks. */
export const postRoutes: readonly XRoute[] = [
  route(
    'GET /tweets/analytics',
    { scopes: READ, limits: { user: 300 }, parameters: ['ids', 'start_time', 'end_time', 'granularity', 'analytics.fields'] },
    analytics,
  ),
  route('GET /tweets', { ...POSTS, scopes: READ, callers: 'app', limits: { app: 3500, user: 5000 }, parameters: ['ids'] }, (request) => {
    const { found, errors } = find(valuesOf(request, 'ids'), 'ids', request);
    return answerPosts(found, request, { errors });
  }),
  route('GET /tweets/:id', { ...POSTS, scopes: READ, callers: 'app', limits: { app: 450, user: 900 } }, (request) => {
    const { found, errors } = find([request.param('id')], 'id', request);
    return found.length > 0 ? single(answerPosts(found, request)) : { errors };
  }),
  route('POST /tweets', { scopes: `${READ} tweet.write`, limits: { user: 100 }, status: 201 }, async (request) => {
    const version = publish(await bodyOf(PostBody, request), request);
    return { data: { id: version.id, text: textOf(version, request).text, edit_history_tweet_ids: version.history } };
  }),
  route('DELETE /tweets/:id', { scopes: `${READ} tweet.write`, limits: { user: 50 } }, (request) => {
    const { written, findPost, nowMs } = request;
    const viewer = signedIn(request);
    const id = idIn(request, 'id');
    const shown = findPost(id)?.post;
    if (shown?.repostOf !== undefined && shown.authorId === viewer.id) {
      react('repost', shown.repostOf, false, request);
      return { data: { deleted: true } };
    }
    const post = findWritten(id, written);
    if (!post && !shown) throw notFound();
    if (post?.authorId !== viewer.id) throw forbidden('You are not authorized to delete this Tweet.');
    written.delete(post, nowMs);
    return { data: { deleted: true } };
  }),
  route('GET /tweets/:id/liking_users', { ...USERS, scopes: `${READ} like.read`, limits: { user: 75 }, parameters: PAGED }, (request) => {
    const post = shownPost(request);
    // X shows the likes of a post to its author only.
    const people = post.authorId === request.viewer?.id ? whoReacted('like', post, request.snapshot) : [];
    return usersPage(people, request, { size: SIZE });
  }),
  route(
    'GET /tweets/:id/retweeted_by',
    { ...USERS, scopes: READ, callers: 'app', limits: { app: 75, user: 75 }, parameters: PAGED },
    (request) => usersPage(whoReacted('repost', shownPost(request), request.snapshot), request, { size: SIZE }),
  ),
  route(
    'GET /tweets/:id/quote_tweets',
    { ...POSTS, scopes: READ, callers: 'app', limits: { app: 75, user: 75 }, parameters: [...PAGED, 'exclude'] },
    (request) => postsPage(request.snapshot.feed.quotesOf(shownPost(request).id), request, { size: { least: 10, most: 100, usual: 10 } }),
  ),
  route('POST /users/:id/likes', { scopes: `${READ} like.write`, limits: { user: 50 }, isEnterprise: true }, async (request) => {
    viewerInPath(request);
    react('like', (await targetIn(request)).id, true, request);
    return { data: { liked: true } };
  }),
  route('DELETE /users/:id/likes/:tweet', { scopes: `${READ} like.write`, limits: { user: 50 }, isEnterprise: true }, (request) => {
    viewerInPath(request);
    react('like', targetPost(idIn(request, 'tweet'), request).id, false, request);
    return { data: { liked: false } };
  }),
  route('POST /users/:id/retweets', { scopes: `${READ} tweet.write`, limits: { user: 50 } }, async (request) => {
    const viewer = viewerInPath(request);
    const post = await targetIn(request);
    const { people, reactions } = request.snapshot;
    if (people.isProtected(post.authorId) && post.authorId !== viewer.id) {
      throw forbidden('You are not permitted to perform this action.');
    }
    if (!hasReacted('repost', { person: viewer, post }, request.snapshot)) react('repost', post.id, true, request);
    const repost = reactions.on('repost', post.id).find(({ userId, on }) => on && userId === viewer.id);
    const restId = snowflake(repost?.atMs ?? post.createdAtMs, lowBitsOf(`repost-${repost?.number ?? 0}`));
    return { data: { rest_id: restId, retweeted: true } };
  }),
  route('DELETE /users/:id/retweets/:tweet', { scopes: `${READ} tweet.write`, limits: { user: 50 } }, (request) => {
    viewerInPath(request);
    react('repost', targetPost(idIn(request, 'tweet'), request).id, false, request);
    return { data: { retweeted: false } };
  }),
  route('GET /users/:id/bookmarks', { ...POSTS, scopes: `${READ} bookmark.read`, limits: { user: 180 }, parameters: PAGED }, (request) => {
    const { bookmarks, feed } = request.snapshot;
    const posts = bookmarks.of(viewerInPath(request).id).flatMap((id) => feed.find(id) ?? []);
    return postsPage(posts, request, { size: SIZE });
  }),
  route('POST /users/:id/bookmarks', { scopes: `${READ} bookmark.write`, callers: 'oauth2', limits: { user: 50 } }, async (request) => {
    request.snapshot.bookmarks.add(viewerInPath(request).id, (await targetIn(request)).id);
    return { data: { bookmarked: true } };
  }),
  route('DELETE /users/:id/bookmarks/:tweet', { scopes: `${READ} bookmark.write`, callers: 'oauth2', limits: { user: 50 } }, (request) => {
    const post = originalOf(idIn(request, 'tweet'), request);
    if (post) request.snapshot.bookmarks.remove(viewerInPath(request).id, post.id);
    return { data: { bookmarked: false } };
  }),
];

interface FoundPosts {
  readonly found: readonly PostVersion[];
  readonly errors: readonly JsonObject[];
}

function find(ids: readonly string[], parameter: string, { findPost }: XRequest): FoundPosts {
  const wrong = ids.find((id) => !isId(id));
  if (wrong !== undefined) throw invalidParameter(parameter, wrong, 'is not valid');
  return {
    found: ids.flatMap((id) => findPost(id) ?? []),
    errors: ids.flatMap((value) => (findPost(value) ? [] : [missing({ type: 'tweet', parameter, value })])),
  };
}

/** The post in the path. A missing post is an answer with `errors` alone. */
function shownPost(request: XRequest): StoredPost {
  const value = idIn(request, 'id');
  const post = originalOf(value, request);
  if (!post) throw new XProblem(200, { errors: [missing({ type: 'tweet', parameter: 'id', value })] });
  return post;
}

async function targetIn(request: XRequest): Promise<StoredPost> {
  const { tweet_id: value } = await bodyOf(Target, request);
  const post = originalOf(value, request);
  if (!post) throw missingTarget({ type: 'tweet', parameter: 'tweet_id', value });
  return post;
}

function react(kind: 'like' | 'repost', postId: string, on: boolean, request: XRequest): void {
  request.snapshot.reactions.set(kind, { userId: signedIn(request).id, postId }, { on, atMs: request.nowMs });
}

/** The metrics of the account's posts. All metrics fall into the requested span. */
function analytics(request: XRequest): JsonObject {
  const { query, snapshot } = request;
  const [fromMs, toMs] = [instantIn(query, 'start_time'), instantIn(query, 'end_time')];
  if (fromMs === undefined || toMs === undefined || fromMs >= toMs) {
    throw invalid({ message: 'start_time and end_time are required, the earlier one first' });
  }
  const granularity = query.get('granularity') ?? '';
  if (granularity !== 'total') throw invalidParameter('granularity', granularity, 'is not one of [total]');
  const selected = (query.get('analytics.fields') ?? '').split(',').filter((name) => name !== '');
  const errors: JsonObject[] = [];
  const data = valuesOf(request, 'ids').flatMap((id) => {
    const post = isId(id) ? request.findPost(id)?.post : undefined;
    const named = { type: 'tweet', parameter: 'ids', value: id };
    if (post?.authorId !== signedIn(request).id) {
      errors.push(post ? notAuthorized(named) : missing(named));
      return [];
    }
    const metrics = metricsOf(post, request);
    const totals = Object.fromEntries(Object.entries(metrics).filter(([name]) => selected.includes(name)));
    const hasSteps = selected.length === 0 || selected.includes('timestamped_metrics');
    return [{ id, ...totals, ...(hasSteps && { timestamped_metrics: [{ timestamp: new Date(fromMs).toISOString(), metrics }] }) }];
  });
  return { ...(data.length > 0 && { data }), ...(errors.length > 0 && { errors }) };

  function metricsOf(post: StoredPost, { snapshot: { now } }: XRequest): JsonObject {
    const all = analyticsOf(post, snapshot);
    const isOutside = (toMs ?? 0) < post.createdAtMs || (fromMs ?? 0) > now.getTime();
    const metrics = {
      bookmarks: all.bookmarks,
      engagements: all.engagements,
      impressions: all.impressions,
      likes: all.likes,
      quote_tweets: all.quotes,
      replies: all.replies,
      retweets: all.reposts,
      url_clicks: all.urlClicks,
      user_profile_clicks: all.profileClicks,
      detail_expands: all.profileClicks,
    };
    return Object.fromEntries(Object.entries(metrics).map(([name, count]) => [name, isOutside ? 0 : (count ?? 0)]));
  }
}
