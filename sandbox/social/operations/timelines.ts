import type * as responseTopic from '#src/clients/social/responses.ts';
import type * as searchTopic from '#src/clients/social/search.ts';
import type { PrimitivesOf } from '#src/clients/social/social.ts';
import type * as timelineTopic from '#src/clients/social/timelines.ts';
import type * as topicTopic from '#src/clients/social/topics.ts';
import { HOME_TIMELINE_TYPE_FOLLOWING } from '#src/clients/social/enumerations.ts';
import type { User } from '#src/clients/social/records/user.ts';
import {
  type StoredTopic,
  findTopic,
  matchesKeyword,
  mostFollowedFirst,
  mostLikedFirst,
  personMatching,
  postsAbout,
  trendsAt,
} from '../discovery.ts';
import { whoReacted } from '../engagement.ts';
import { isOnTimeline } from '../feed.ts';
import { findGifs, toGif } from '../gifs.ts';
import { type Page, pageOf } from '../paging.ts';
import type { StoredPost } from '../posts.ts';
import { PLATFORM, entitiesOf, postsPage, usersPage } from '../records.ts';
import { Refusal, notFound } from '../refusal.ts';
import { type SocialRequest, requirePost } from '../request.ts';
import { answersTo, toThread } from '../threads.ts';

const HOUR_MS = 3_600_000;
/** Half of the likes count as much as this age difference. */
const HOURS_A_DOUBLING = 6;
/** The weight of following the author, in doublings of likes. */
const FOLLOWED_DOUBLINGS = 5;

/** The timelines of the signed-in account, and trends. */
export function timelinesOperations({ snapshot, viewer }: SocialRequest): PrimitivesOf<typeof timelineTopic> {
  const { bookmarks, feed, relations } = snapshot;
  const mentions = (text: string): boolean => text.includes('@') && entitiesOf(text, snapshot).some(({ userId }) => userId === viewer.id);
  const isTheirs = ({ authorId }: StoredPost): boolean => authorId === viewer.id || relations.follows(viewer.id, authorId);

  /** The rank of a post. It does not depend on the current time, so that all pages of a walk have the same order. */
  function rankOf(post: StoredPost): number {
    const doublings = Math.log2(1 + post.likes + 3 * post.reposts) + (isTheirs(post) ? FOLLOWED_DOUBLINGS : 0);
    return doublings + post.createdAtMs / (HOURS_A_DOUBLING * HOUR_MS);
  }

  return {
    async getHomeTimeline({ timelineType }, { cursor }) {
      if (timelineType === HOME_TIMELINE_TYPE_FOLLOWING) return postsPage(feed.timeline().filter(isTheirs), cursor, snapshot);
      const posts = feed.all().filter((post) => post.replyTo === undefined && isOnTimeline(post));
      const ranked = posts.map((post) => ({ post, rank: rankOf(post) }));
      const best = ranked.toSorted((a, b) => b.rank - a.rank).map(({ post }) => post);
      return postsPage(best, cursor, snapshot);
    },

    async getMentions(_, { cursor }) {
      const posts = feed.all().filter(({ authorId, text }) => authorId !== viewer.id && mentions(text));
      return postsPage(posts, cursor, snapshot);
    },

    async getBookmarks(_, { cursor }) {
      const posts = bookmarks.of(viewer.id).flatMap((id) => feed.find(id) ?? []);
      return postsPage(posts, cursor, snapshot);
    },

    async getPostNotifications(_, { cursor }) {
      const posts = feed.all().filter(({ authorId, replyTo, createdAtMs }) => {
        const sinceMs = relations.notifiedSinceMs(viewer.id, authorId);
        return replyTo === undefined && sinceMs !== undefined && createdAtMs >= sinceMs;
      });
      return postsPage(posts, cursor, snapshot);
    },

    getTrends: async () => [...trendsAt(snapshot)],
  };
}

/** Search for posts, people and GIFs. */
export function searchOperations({ snapshot, viewer }: SocialRequest): PrimitivesOf<typeof searchTopic> {
  const { feed, people, relations, url } = snapshot;

  function peopleAbout(keyword: string): readonly string[] {
    const found = people.all.filter(personMatching(keyword)).filter((person) => !relations.parted(viewer.id, person.id));
    return mostFollowedFirst(found, snapshot).map(({ id }) => id);
  }

  return {
    async search({ keyword, filter }, { cursor }) {
      if (filter === 'Lists') throw new Refusal(422, 'unsupported', 'The search does not support lists.');
      if (filter === 'People') return usersPage(peopleAbout(keyword), cursor, snapshot);
      const found = feed.all().filter((post) => matchesKeyword(post, keyword));
      if (filter === 'Latest') return postsPage(found, cursor, snapshot);
      const wanted = filter === 'Media' ? found.filter(({ media }) => media.length > 0) : found;
      return postsPage(mostLikedFirst(wanted, snapshot), cursor, snapshot);
    },

    async searchGifs({ searchTerm }, { cursor }) {
      const page = pageOf(findGifs(searchTerm), cursor);
      return { ...page, items: page.items.map((gif) => toGif(gif, url)) };
    },
  };
}

/** Topics and their posts. */
export function topicsOperations({ snapshot }: SocialRequest): PrimitivesOf<typeof topicTopic> {
  const { feed, now } = snapshot;

  function requireTopic(id: string): StoredTopic {
    const topic = findTopic(id, snapshot);
    if (!topic) throw notFound(`topic ${id}`);
    return topic;
  }

  return {
    async getTopic({ topic: idOrName }) {
      const topic = requireTopic(idOrName);
      return {
        platform: PLATFORM,
        id: topic.id,
        kind: 'hashtag',
        name: topic.name,
        description: topic.game && `All about ${topic.game.name}.`,
        postCount: postsAbout(topic, feed).length,
        fetchedAt: now,
      };
    },

    async getTopicPosts({ topic, replies }, { cursor }) {
      const posts = postsAbout(requireTopic(topic), feed);
      return postsPage(replies ? posts : posts.filter(({ replyTo }) => replyTo === undefined), cursor, snapshot);
    },
  };
}

/** Reactions and replies to a post. */
export function responsesOperations(request: SocialRequest): PrimitivesOf<typeof responseTopic> {
  const { snapshot } = request;

  function reactedPage(kind: 'like' | 'repost', post: string, cursor: string | undefined): Page<User> {
    const people = whoReacted(kind, requirePost(request, post), snapshot);
    return usersPage(
      people.map(({ id }) => id),
      cursor,
      snapshot,
    );
  }

  return {
    getPostLikes: async ({ post }, { cursor }) => reactedPage('like', post, cursor),
    getPostReposts: async ({ post }, { cursor }) => reactedPage('repost', post, cursor),

    async getPostQuotes({ post }, { cursor }) {
      const quotes = snapshot.feed.quotesOf(requirePost(request, post).id);
      return usersPage([...new Set(quotes.map(({ authorId }) => authorId))], cursor, snapshot);
    },

    async getPostComments({ post, getHidden: hidden }, { cursor }) {
      const page = pageOf(answersTo(requirePost(request, post), { hidden, snapshot }), cursor);
      return { ...page, items: page.items.map((answer) => toThread(answer, { hidden, snapshot })) };
    },
  };
}
