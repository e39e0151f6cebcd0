import { z } from 'zod';
import { matchesKeyword, mostLikedFirst } from '../social/discovery.ts';
import { generatedReactions } from '../social/engagement.ts';
import { isOnTimeline } from '../social/feed.ts';
import { fold, hashtagsIn } from '../social/hashtags.ts';
import type { StoredPost } from '../social/posts.ts';
import { AtUri } from './addresses.ts';
import { findPost, toAbsence, toPostView, toThread } from './post-json.ts';
import { toProfile } from './profile-json.ts';
import { invalidRequest } from './refusal.ts';
import { atUri, one, pageAnswer, paging, query, type SignedInRequest, text, whole, type XrpcRoute } from './request.ts';

/** `app.bsky.feed`: single posts, the reactions to them, and the search. */
export const postRoutes: readonly XrpcRoute[] = [
  query('app.bsky.feed.getPosts', { uris: z.array(AtUri).max(25) }, ({ uris }, request) => ({
    posts: [...new Set(uris)].flatMap((uri) => findPost(uri, request) ?? []).map((post) => toPostView(post, request)),
  })),

  query('app.bsky.feed.getPostThread', { uri: atUri, depth: whole(1000, 6) }, ({ uri, depth }, request) => {
    const post = findPost(uri, request);
    if (post) return { thread: toThread(post, depth, request) };
    const absence = toAbsence(uri, request);
    if ('notFound' in absence) throw invalidRequest(`Post not found: ${uri}`, 'NotFound');
    return { thread: absence };
  }),

  query('app.bsky.feed.getLikes', { uri: atUri, ...paging }, ({ uri, ...page }, request) => ({
    uri,
    ...pageAnswer('likes', reactionsTo('like', uri, request), page, request, ({ person, atMs }) => {
      const createdAt = new Date(atMs).toISOString();
      return { indexedAt: createdAt, createdAt, actor: toProfile(person, request) };
    }),
  })),

  query('app.bsky.feed.getRepostedBy', { uri: atUri, ...paging }, ({ uri, ...page }, request) => ({
    uri,
    ...pageAnswer('repostedBy', reactionsTo('repost', uri, request), page, request, ({ person }) => toProfile(person, request)),
  })),

  query('app.bsky.feed.getQuotes', { uri: atUri, ...paging }, ({ uri, ...page }, request) => {
    const post = findPost(uri, request);
    const quotes = post ? request.snapshot.feed.quotesOf(post.id) : [];
    return { uri, ...pageAnswer('posts', quotes, page, request, (quote) => toPostView(quote, request)) };
  }),

  query(
    'app.bsky.feed.searchPosts',
    { q: text, sort: one(z.enum(['top', 'latest'])).default('latest'), tag: text.optional(), ...paging, limit: whole(100, 25) },
    ({ q, sort, tag, ...page }, request) => {
      const found = matching(q, tag, request);
      const posts = sort === 'top' ? mostLikedFirst(found, request.snapshot) : found;
      return { hitsTotal: posts.length, ...pageAnswer('posts', posts, page, request, (post) => toPostView(post, request)) };
    },
  ),
];

/** The people who like or reposted a post: first those from the API, latest first, then generated ones. */
function reactionsTo(kind: 'like' | 'repost', uri: string, request: SignedInRequest) {
  const { snapshot } = request;
  const post = findPost(uri, request);
  if (!post) return [];
  const recorded = snapshot.reactions.on(kind, post.id).filter(({ on }) => on);
  const fromApi = recorded.flatMap(({ userId, atMs }) => {
    const person = snapshot.people.find(userId);
    return person ? [{ person, atMs }] : [];
  });
  const all = [...fromApi, ...generatedReactions(kind, post, snapshot).toReversed()];
  return all.map(({ person, atMs }) => ({ id: person.id, person, atMs }));
}

/** The posts with all words of a text and with a hashtag, newest first. */
function matching(q: string, tag: string | undefined, { snapshot }: SignedInRequest): readonly StoredPost[] {
  const words = q.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) throw invalidRequest('Error: Params must have the property "q"', 'BadQueryString');
  return snapshot.feed
    .all()
    .filter(
      (post) =>
        isOnTimeline(post) &&
        words.every((word) => matchesKeyword(post, word)) &&
        (tag === undefined || hashtagsIn(post.text).has(fold(`#${tag}`))),
    );
}
