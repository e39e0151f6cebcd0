import type { SocialPlatform } from '#src/social/social.ts';
import { HOME_TIMELINE_TYPE_FOLLOWING } from '#src/social/enumerations.ts';
import type { Meeting } from '../meeting.ts';
import { entitiesOf } from '../entities.ts';
import type { StoredPost } from '../posts.ts';
import { postsPage } from '../record-pages.ts';
import { trendsAt } from '../trends.ts';
import { isOnTimeline } from '../visibility.ts';

type Timelines = Pick<Required<SocialPlatform['operations']>, 'getHomeTimeline' | 'getMentions' | 'getPostNotifications' | 'getTrends'>;

const HOUR_MS = 3_600_000;
/** A post with half of the likes of another comes right after it where it is so much younger. */
const HOURS_A_DOUBLING = 6;
/** What following somebody is worth, in doublings of likes. */
const FOLLOWED_DOUBLINGS = 5;

/** What comes to the signed-in account by itself. */
export function timelinesOperations({ moment, viewer }: Meeting): Timelines {
  const { feed, relations } = moment;
  const mentions = (text: string): boolean => text.includes('@') && entitiesOf(text, moment).some(({ userId }) => userId === viewer.id);
  const isTheirs = ({ authorId }: StoredPost): boolean => authorId === viewer.id || relations.follows(viewer.id, authorId);

  /** How well a post fits. The instant is not in it, so that a walk that takes its time goes through one order. */
  function fitOf(post: StoredPost): number {
    const doublings = Math.log2(1 + post.likes + 3 * post.reposts) + (isTheirs(post) ? FOLLOWED_DOUBLINGS : 0);
    return doublings + post.createdAtMs / (HOURS_A_DOUBLING * HOUR_MS);
  }

  return {
    async getHomeTimeline({ timelineType }, { cursor }) {
      if (timelineType === HOME_TIMELINE_TYPE_FOLLOWING) return postsPage(feed.timeline().filter(isTheirs), cursor, moment);
      const posts = feed.all().filter((post) => post.replyTo === undefined && isOnTimeline(post));
      const ranked = posts.map((post) => ({ post, fit: fitOf(post) }));
      const best = ranked.toSorted((a, b) => b.fit - a.fit).map(({ post }) => post);
      return postsPage(best, cursor, moment);
    },

    async getMentions(_, { cursor }) {
      const posts = feed.all().filter(({ authorId, text }) => authorId !== viewer.id && mentions(text));
      return postsPage(posts, cursor, moment);
    },

    async getPostNotifications(_, { cursor }) {
      const posts = feed.all().filter(({ authorId, replyTo, createdAtMs }) => {
        const sinceMs = relations.notifiedSinceMs(viewer.id, authorId);
        return replyTo === undefined && sinceMs !== undefined && createdAtMs >= sinceMs;
      });
      return postsPage(posts, cursor, moment);
    },

    getTrends: async () => [...trendsAt(moment)],
  };
}
