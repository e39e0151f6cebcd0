import type { PostAnalytics } from '#src/social/records/insight.ts';
import type { Snapshot } from './snapshot.ts';
import type { StoredPost } from './posts.ts';
import { toPost } from './records.ts';

const HOUR_MS = 3_600_000;
/** After so long two thirds of all who come by have come by. */
const ATTENTION_MS = 12 * HOUR_MS;
/** How many see a post by themselves, beside a part of the followers. */
const PASSERS_BY = 20;
const FOLLOWERS_PART = 0.4;
/** The number of views per reaction. */
const SEEN_BY_RESPONSE = 25;

/** How a post does: it is seen more the older it gets and the more comes of it. */
export function analyticsOf(post: StoredPost, snapshot: Snapshot): PostAnalytics {
  const { counts, entities } = toPost(post, snapshot);
  const { likes, reposts, replies, quotes, bookmarks = 0 } = counts;
  const responses = likes + reposts + replies + quotes + bookmarks;
  const attention = 1 - Math.exp(-(snapshot.now.getTime() - post.createdAtMs) / ATTENTION_MS);
  const audience = PASSERS_BY + FOLLOWERS_PART * snapshot.relations.followersOf(post.authorId).length;
  const impressions = Math.floor(audience * attention) + SEEN_BY_RESPONSE * responses;
  const profileClicks = Math.floor(impressions / 50);
  const urlClicks = entities.some(({ type }) => type === 'url') ? Math.floor(impressions / 20) : 0;
  return {
    postId: post.id,
    impressions,
    engagements: responses + profileClicks + urlClicks,
    likes,
    reposts,
    replies,
    quotes,
    bookmarks,
    profileClicks,
    urlClicks,
    completeness: 'full',
    fetchedAt: snapshot.now,
  };
}
