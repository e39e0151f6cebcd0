import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import { fold, hashtagsIn } from '../../social/hashtags.ts';
import { trendsAt } from '../../social/trends.ts';
import type { Bluesky } from '../core.ts';
import { fromAtUri } from '../data/at-uri.ts';
import { topicUri } from '../view/generators.ts';
import { authorOf, lookOf, type Look } from '../view/look.ts';
import { toBasicProfile } from '../view/profile.ts';
import { query, type Endpoints } from '../xrpc/endpoint.ts';
import { whole } from '../xrpc/params.ts';

const MOST_ACTORS = 5;
const HOT = 3;
const DAY_MS = 86_400_000;

/** `app.bsky.unspecced`: what is talked about. */
export function trendEndpoints(bluesky: Bluesky): Endpoints {
  return {
    'app.bsky.unspecced.getTrends': query(z.object({ limit: whole({ most: 25, usual: 10 }) }), ({ limit }, call) => {
      const look = lookOf(bluesky, call);
      const trends = call.fault('emptyList') ? [] : trendsAt(look.moment).slice(0, limit);
      return { trends: trends.map(({ name, rank, postCount = 0 }) => toTrend(name, { rank, postCount }, look)) };
    }),
  };
}

function toTrend(hashtag: string, { rank, postCount }: { readonly rank: number; readonly postCount: number }, look: Look): JsonObject {
  const { feed, now } = look.moment;
  const posts = feed.all().filter(({ text, createdAtMs }) => createdAtMs > now.getTime() - DAY_MS && hashtagsIn(text).has(fold(hashtag)));
  const authors = new Set(posts.map((post) => authorOf(look, post)));
  const { repo, rkey } = fromAtUri(topicUri(hashtag)) ?? {};
  return {
    topic: hashtag.slice(1),
    displayName: hashtag.slice(1),
    link: `/profile/${repo}/feed/${rkey}`,
    startedAt: new Date(posts.at(-1)?.createdAtMs ?? now).toISOString(),
    postCount,
    status: rank <= HOT ? 'hot' : undefined,
    category: 'video-games',
    actors: [...authors].slice(0, MOST_ACTORS).map((author) => toBasicProfile(author, look)),
  };
}
