import { z } from 'zod';

import { fold, hashtagsIn } from '../social/hashtags.ts';
import { matchesKeyword, mostLikedFirst } from '../social/discovery.ts';
import type { StoredPost } from '../social/posts.ts';
import { isOnTimeline } from '../social/feed.ts';
import type { Bluesky } from './core.ts';
import { Actor, AtUri, Cid, type Endpoints, cutPage, many, one, paging, query, text, whole } from './endpoint.ts';
import { invalidRequest } from './refusal.ts';
import { threadgateView, toAbsence, toPostView, toThread } from './post-view.ts';
import { toProfile } from './profile-view.ts';
import { textAt } from './records.ts';
import { type BlueskyView, findPost, isBlocked, isDetached, reactorsOf, viewOf } from './view.ts';

const MOST_POSTS = 25;
const aboutPost = { uri: one(AtUri), cid: one(Cid).optional(), ...paging() };

/** `app.bsky.feed`: single posts, and what came of them. */
export function postEndpoints(bluesky: Bluesky): Endpoints {
  return {
    'app.bsky.feed.getPosts': query(z.object({ uris: many(AtUri, MOST_POSTS) }), ({ uris }, call) => {
      const view = viewOf(bluesky, call);
      return { posts: [...new Set(uris)].flatMap((uri) => findPost(view, uri) ?? []).map((post) => toPostView(post, view)) };
    }),

    'app.bsky.feed.getPostThread': query(
      z.object({
        uri: one(AtUri),
        depth: whole({ least: 0, most: 1000, usual: 6 }),
        parentHeight: whole({ least: 0, most: 1000, usual: 80 }),
      }),
      ({ uri, ...reach }, call) => {
        const view = viewOf(bluesky, call);
        const post = findPost(view, uri);
        if (!post && isBlocked(view, uri)) return { thread: toAbsence(uri, view) };
        if (!post) throw invalidRequest(`Post not found: ${uri}`, 'NotFound');
        const root = textAt(bluesky.posts.of(post).record, 'reply', 'root', 'uri') ?? bluesky.posts.of(post).uri;
        return { thread: toThread(post, reach, view), threadgate: threadgateView(view, root) };
      },
    ),

    'app.bsky.feed.getLikes': query(z.object(aboutPost), ({ uri, cid, ...pageRequest }, call) => {
      const view = viewOf(bluesky, call);
      const post = findPost(view, uri);
      const { items, cursor } = cutPage(post ? reactorsOf('like', post, view) : [], pageRequest, {
        idOf: ({ id }) => id,
        fault: call.fault,
      });
      const likes = items.map(({ person, atMs }) => {
        const at = new Date(atMs).toISOString();
        return { indexedAt: at, createdAt: at, actor: toProfile(person, view) };
      });
      return { uri, cid, cursor, likes };
    }),

    'app.bsky.feed.getRepostedBy': query(z.object(aboutPost), ({ uri, cid, ...pageRequest }, call) => {
      const view = viewOf(bluesky, call);
      const post = findPost(view, uri);
      const { items, cursor } = cutPage(post ? reactorsOf('repost', post, view) : [], pageRequest, {
        idOf: ({ id }) => id,
        fault: call.fault,
      });
      return { uri, cid, cursor, repostedBy: items.map(({ person }) => toProfile(person, view)) };
    }),

    'app.bsky.feed.getQuotes': query(z.object(aboutPost), ({ uri, cid, ...pageRequest }, call) => {
      const view = viewOf(bluesky, call);
      const post = findPost(view, uri);
      const quotes = post ? view.snapshot.feed.quotesOf(post.id) : [];
      const attached = quotes.filter((quote) => !isDetached(view, { shown: uri, by: bluesky.posts.of(quote).uri }));
      const { items, cursor } = cutPage(attached, pageRequest, { idOf: ({ id }) => id, fault: call.fault });
      return { uri, cid, cursor, posts: items.map((quote) => toPostView(quote, view)) };
    }),
  };
}

/** The filter of a search. */
interface PostFilter {
  readonly text: string;
  readonly sort: 'top' | 'latest';
  readonly author?: string | undefined;
  /** A post must have all hashtags. */
  readonly hashtags: readonly string[];
}

/** The posts that match a filter, in its order. */
function searched({ text, sort, author, hashtags }: PostFilter, view: BlueskyView): readonly StoredPost[] {
  const { snapshot, viewer, bluesky } = view;
  const terms = termsOf(text);
  const names = [...(author === undefined ? [] : [author]), ...terms.authors];
  const authors = new Set(names.map((name) => (name === 'me' ? viewer.id : bluesky.directory.find(name.replace(/^@/, ''))?.id)));
  const found = snapshot.feed
    .all()
    .filter(
      (post) =>
        isOnTimeline(post) &&
        terms.words.every((word) => matchesKeyword(post, word)) &&
        (names.length === 0 || authors.has(post.authorId)) &&
        hashtags.every((name) => hashtagsIn(post.text).has(`#${fold(name).replace(/^#/, '')}`)),
    );
  return sort === 'top' ? mostLikedFirst(found, snapshot) : found;
}

/** The words, phrases and `from:` authors of a search text. */
function termsOf(text: string): { readonly words: readonly string[]; readonly authors: readonly string[] } {
  const terms = [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(([, phrase, word = '']) => ({ phrase, word }));
  return {
    words: terms.flatMap(({ phrase, word }) => phrase ?? (/^from:./.test(word) ? [] : [word])),
    authors: terms.flatMap(({ word }) => (/^from:./.test(word) ? [word.slice('from:'.length)] : [])),
  };
}

const searchParams = z.object({
  q: text,
  sort: one(z.enum(['top', 'latest'])).default('latest'),
  author: one(Actor).optional(),
  tag: many(z.string()).default([]),
  ...paging({ usual: 25 }),
});

/** `app.bsky.feed.searchPosts`. */
export function searchEndpoints(bluesky: Bluesky): Endpoints {
  return {
    'app.bsky.feed.searchPosts': query(searchParams, ({ q, sort, author, tag: hashtags, ...pageRequest }, call) => {
      if (q.trim() === '') throw invalidRequest('Error: Params must have the property "q"', 'BadQueryString');
      const view = viewOf(bluesky, call);
      const posts = searched({ text: q, sort, author, hashtags }, view);
      const { items, cursor } = cutPage(posts, pageRequest, { idOf: ({ id }) => id, fault: call.fault });
      return { cursor, hitsTotal: posts.length, posts: items.map((post) => toPostView(post, view)) };
    }),
  };
}
