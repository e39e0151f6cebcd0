import type { PostAnalytics } from '#src/clients/social/records/insight.ts';
import type { Snapshot } from './snapshot.ts';
import type { StoredPost } from './posts.ts';
import { toPost } from './records.ts';

const HOUR_MS = 3_600_000;
/** Two thirds of the generated impressions come within this time. */
const ATTENTION_MS = 12 * HOUR_MS;
/** Generated impressions of every post, in addition to a share of the followers. */
const LEAST_IMPRESSIONS = 20;
const FOLLOWERS_SHARE = 0.4;
/** Impressions per reaction. */
const IMPRESSIONS_PER_REACTION = 25;

/** The analytics of a post. Impressions grow with its age and its reactions. */
export function analyticsOf(post: StoredPost, snapshot: Snapshot): PostAnalytics {
  const { counts, entities } = toPost(post, snapshot);
  const { likes, reposts, replies, quotes, bookmarks = 0 } = counts;
  const responses = likes + reposts + replies + quotes + bookmarks;
  const attention = 1 - Math.exp(-(snapshot.now.getTime() - post.createdAtMs) / ATTENTION_MS);
  const audience = LEAST_IMPRESSIONS + FOLLOWERS_SHARE * snapshot.relations.followersOf(post.authorId).length;
  const impressions = Math.floor(audience * attention) + IMPRESSIONS_PER_REACTION * responses;
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
