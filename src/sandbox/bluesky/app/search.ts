import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import type { StoredPost } from '../../social/posts.ts';
import type { Bluesky } from '../core.ts';
import { lookOf } from '../view/look.ts';
import { toPostView } from '../view/post.ts';
import { query, type Endpoints, type SignedCall } from '../xrpc/endpoint.ts';
import { Actor, AtUri, flag, many, one, paging, text } from '../xrpc/params.ts';
import { cutPage, type Asked } from '../xrpc/paging.ts';
import { invalidRequest } from '../xrpc/refusal.ts';
import { searched, type Wish } from './searching.ts';

const first = z.object({
  q: text,
  sort: one(z.enum(['top', 'latest'])).default('latest'),
  since: text.optional(),
  until: text.optional(),
  mentions: one(Actor).optional(),
  author: one(Actor).optional(),
  lang: text.optional(),
  domain: text.optional(),
  url: text.optional(),
  tag: many(z.string()).default([]),
  ...paging({ usual: 25 }),
});

const second = z.object({
  query: text.optional(),
  sort: one(z.enum(['recent', 'top'])).default('recent'),
  authors: many(Actor).default([]),
  mentions: many(Actor).default([]),
  domains: many(z.string()).default([]),
  urls: many(z.string()).default([]),
  hashtags: many(z.string()).default([]),
  languages: many(z.string()).default([]),
  excludeAuthors: many(Actor).default([]),
  excludeHashtags: many(z.string()).default([]),
  since: text.optional(),
  until: text.optional(),
  hasMedia: flag.optional(),
  hasVideo: flag.optional(),
  following: flag.optional(),
  excludeReplies: flag.optional(),
  repliesOnly: flag.optional(),
  replyParentUri: one(AtUri).optional(),
  threadRootUri: one(AtUri).optional(),
  ...paging({ usual: 25 }),
});

/** `app.bsky.feed`: posts that say something. */
export function searchEndpoints(bluesky: Bluesky): Endpoints {
  function found(wish: Wish, asked: Asked, call: SignedCall): JsonObject {
    const look = lookOf(bluesky, call);
    const posts: readonly StoredPost[] = searched(wish, look);
    const { items, cursor } = cutPage(posts, asked, { idOf: ({ id }) => id, fault: call.fault });
    return { cursor, hitsTotal: posts.length, posts: items.map((post) => toPostView(post, look)) };
  }

  return {
    'app.bsky.feed.searchPosts': query(first, ({ q, sort, since, until, mentions, author, lang, domain, url, tag, ...asked }, call) => {
      if (q.trim() === '') throw invalidRequest('Error: Params must have the property "q"', 'BadQueryString');
      const list = <T>(value: T | undefined): readonly T[] => (value === undefined ? [] : [value]);
      const wish = { text: q, sort, since, until, mentions: list(mentions), authors: list(author), languages: list(lang) };
      return found({ ...wish, domains: list(domain), urls: list(url), hashtags: tag, allHashtags: true }, asked, call);
    }),

    'app.bsky.feed.searchPostsV2': query(second, ({ query: words = '', sort, limit, cursor, ...rest }, call) =>
      found({ ...rest, text: words, sort: sort === 'top' ? 'top' : 'latest' }, { limit, cursor }, call),
    ),
  };
}
