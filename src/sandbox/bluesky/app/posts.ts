import { z } from 'zod';
import type { Bluesky } from '../core.ts';
import { textAt } from '../repo/references.ts';
import { isDetached } from '../view/gates.ts';
import { findPost, isBlocked, lookOf } from '../view/look.ts';
import { threadgateView, toAbsence, toPostView } from '../view/post.ts';
import { toProfile } from '../view/profile.ts';
import { reactorsOf } from '../view/reactors.ts';
import { toThread } from '../view/thread.ts';
import { query, type Endpoints } from '../xrpc/endpoint.ts';
import { AtUri, Cid, many, one, paging, whole } from '../xrpc/params.ts';
import { cutPage } from '../xrpc/paging.ts';
import { invalidRequest } from '../xrpc/refusal.ts';

const MOST_POSTS = 25;
const aboutPost = { uri: one(AtUri), cid: one(Cid).optional(), ...paging() };

/** `app.bsky.feed`: single posts, and what came of them. */
export function postEndpoints(bluesky: Bluesky): Endpoints {
  return {
    'app.bsky.feed.getPosts': query(z.object({ uris: many(AtUri, MOST_POSTS) }), ({ uris }, call) => {
      const look = lookOf(bluesky, call);
      return { posts: [...new Set(uris)].flatMap((uri) => findPost(look, uri) ?? []).map((post) => toPostView(post, look)) };
    }),

    'app.bsky.feed.getPostThread': query(
      z.object({
        uri: one(AtUri),
        depth: whole({ least: 0, most: 1000, usual: 6 }),
        parentHeight: whole({ least: 0, most: 1000, usual: 80 }),
      }),
      ({ uri, ...reach }, call) => {
        const look = lookOf(bluesky, call);
        const post = findPost(look, uri);
        if (!post && isBlocked(look, uri)) return { thread: toAbsence(uri, look) };
        if (!post) throw invalidRequest(`Post not found: ${uri}`, 'NotFound');
        const root = textAt(bluesky.posts.of(post).record, 'reply', 'root', 'uri') ?? bluesky.posts.of(post).uri;
        return { thread: toThread(post, reach, look), threadgate: threadgateView(look, root) };
      },
    ),

    'app.bsky.feed.getLikes': query(z.object(aboutPost), ({ uri, cid, ...asked }, call) => {
      const look = lookOf(bluesky, call);
      const post = findPost(look, uri);
      const { items, cursor } = cutPage(post ? reactorsOf('like', post, look) : [], asked, { idOf: ({ id }) => id, fault: call.fault });
      const likes = items.map(({ person, atMs }) => {
        const at = new Date(atMs).toISOString();
        return { indexedAt: at, createdAt: at, actor: toProfile(person, look) };
      });
      return { uri, cid, cursor, likes };
    }),

    'app.bsky.feed.getRepostedBy': query(z.object(aboutPost), ({ uri, cid, ...asked }, call) => {
      const look = lookOf(bluesky, call);
      const post = findPost(look, uri);
      const { items, cursor } = cutPage(post ? reactorsOf('repost', post, look) : [], asked, { idOf: ({ id }) => id, fault: call.fault });
      return { uri, cid, cursor, repostedBy: items.map(({ person }) => toProfile(person, look)) };
    }),

    'app.bsky.feed.getQuotes': query(z.object(aboutPost), ({ uri, cid, ...asked }, call) => {
      const look = lookOf(bluesky, call);
      const post = findPost(look, uri);
      const quotes = post ? look.moment.feed.quotesOf(post.id) : [];
      const attached = quotes.filter((quote) => !isDetached(look, { shown: uri, by: bluesky.posts.of(quote).uri }));
      const { items, cursor } = cutPage(attached, asked, { idOf: ({ id }) => id, fault: call.fault });
      return { uri, cid, cursor, posts: items.map((quote) => toPostView(quote, look)) };
    }),
  };
}
