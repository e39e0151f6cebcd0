import type { JsonObject } from '#src/clients/operation/json.ts';
import { postsAbout, trendsAt } from '../social/discovery.ts';
import { isOnTimeline } from '../social/feed.ts';
import { fold } from '../social/hashtags.ts';
import type { StoredPost } from '../social/posts.ts';
import { didFor } from './accounts.ts';
import { parseAtUri } from './addresses.ts';
import { cidOf } from './encoding.ts';
import { COLLECTIONS } from './records.ts';
import { query, type SignedInRequest, whole, type XrpcRoute } from './request.ts';

const BLUESKY = { did: 'did:plc:z72i7hdynmk6r22z27h6tvur', handle: 'bsky.app', displayName: 'Bluesky' };
const TRENDING = { did: didFor('trending'), handle: 'trending.sandbox.test', displayName: 'Trending' };
const CREATED_AT = '2023-05-01T00:00:00.000Z';
/** A post that is this much older needs twice the likes for the same rank. */
const HALF_LIFE_MS = 6 * 3_600_000;

/** A feed with an algorithm: Discover, or the posts with a hashtag. */
interface Generator {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly creator: typeof BLUESKY;
  readonly posts: () => readonly StoredPost[];
}

/** `app.bsky.unspecced`: trends. Each links to the feed of a hashtag. */
export const trendRoutes: readonly XrpcRoute[] = [
  query('app.bsky.unspecced.getTrends', { limit: whole(25, 10) }, ({ limit }, { snapshot, fault }) => {
    const trends = fault('emptyList') ? [] : trendsAt(snapshot).slice(0, limit);
    return {
      trends: trends.map(({ name: hashtag, postCount = 0 }) => ({
        topic: hashtag.slice(1),
        displayName: hashtag.slice(1),
        link: `/profile/${TRENDING.did}/feed/${Buffer.from(hashtag.slice(1)).toString('hex')}`,
        postCount,
        category: 'video-games',
      })),
    };
  }),
];

/** The feed at an address. The record key of a hashtag's feed is the hashtag in hexadecimal. */
export function findGenerator(uri: string, { snapshot }: SignedInRequest): Generator | undefined {
  const { repo, collection, rkey = '' } = parseAtUri(uri) ?? {};
  if (collection !== COLLECTIONS.generator) return undefined;
  if (repo === BLUESKY.did && rkey === 'whats-hot') {
    const posts = (): readonly StoredPost[] => discover(snapshot.feed.all());
    return { uri, name: 'Discover', description: 'Trending content from your personal network', creator: BLUESKY, posts };
  }
  const name = Buffer.from(rkey, 'hex').toString();
  const posts = (): readonly StoredPost[] => postsAbout({ id: fold(name) }, snapshot.feed).filter(isOnTimeline);
  if (repo !== TRENDING.did || name === '' || posts().length === 0) return undefined;
  return { uri, name, description: `All about #${name}.`, creator: TRENDING, posts };
}

/** Popular and recent posts come first. The order does not depend on the current time, so that pages fit together. */
function discover(posts: readonly StoredPost[]): readonly StoredPost[] {
  const rankOf = ({ likes, reposts, createdAtMs }: StoredPost): number => Math.log2(1 + likes + 3 * reposts) + createdAtMs / HALF_LIFE_MS;
  const first = posts.filter((post) => post.replyTo === undefined && isOnTimeline(post));
  return first
    .map((post) => ({ post, rank: rankOf(post) }))
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ post }) => post);
}

export function toGenerator({ uri, name: displayName, description, creator }: Generator): JsonObject {
  return { uri, cid: cidOf('record', uri), did: creator.did, creator, displayName, description, indexedAt: CREATED_AT };
}
