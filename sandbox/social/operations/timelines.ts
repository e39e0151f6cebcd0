import { HOME_TIMELINE_TYPE_FOLLOWING } from '#src/social/enumerations.ts';
import type { User } from '#src/social/records/user.ts';
import type { SocialPlatform } from '#src/social/social.ts';
import type { WorldPerson } from '../../world/world.ts';
import { type StoredTopic, findTopic, matchesKeyword, mostLikedFirst, personMatches, postsAbout, trendsAt } from '../discovery.ts';
import { whoReacted } from '../engagement.ts';
import { isOnTimeline } from '../feed.ts';
import { findGifs, toGif } from '../gifs.ts';
import { type Page, pageOf } from '../paging.ts';
import type { StoredPost } from '../posts.ts';
import { PLATFORM, entitiesOf, postsPage, toUser, usersPage } from '../records.ts';
import { Refusal, notFound } from '../refusal.ts';
import { type SocialRequest, requirePost } from '../request.ts';
import { answersTo, toThread } from '../threads.ts';

type Timelines = Pick<Required<SocialPlatform['operations']>, 'getHomeTimeline' | 'getMentions' | 'getPostNotifications' | 'getTrends'>;

const HOUR_MS = 3_600_000;
/** A post with half of the likes of another comes right after it where it is so much younger. */
const HOURS_A_DOUBLING = 6;
/** The weight of following the author, in doublings of likes. */
const FOLLOWED_DOUBLINGS = 5;

/** What comes to the signed-in account by itself. */
export function timelinesOperations({ snapshot, viewer }: SocialRequest): Timelines {
  const { feed, relations } = snapshot;
  const mentions = (text: string): boolean => text.includes('@') && entitiesOf(text, snapshot).some(({ userId }) => userId === viewer.id);
  const isTheirs = ({ authorId }: StoredPost): boolean => authorId === viewer.id || relations.follows(viewer.id, authorId);

  /** How well a post fits. The instant is not in it, so that a walk that takes its time goes through one order. */
  function fitOf(post: StoredPost): number {
    const doublings = Math.log2(1 + post.likes + 3 * post.reposts) + (isTheirs(post) ? FOLLOWED_DOUBLINGS : 0);
    return doublings + post.createdAtMs / (HOURS_A_DOUBLING * HOUR_MS);
  }

  return {
    async getHomeTimeline({ timelineType }, { cursor }) {
      if (timelineType === HOME_TIMELINE_TYPE_FOLLOWING) return postsPage(feed.timeline().filter(isTheirs), cursor, snapshot);
      const posts = feed.all().filter((post) => post.replyTo === undefined && isOnTimeline(post));
      const ranked = posts.map((post) => ({ post, fit: fitOf(post) }));
      const best = ranked.toSorted((a, b) => b.fit - a.fit).map(({ post }) => post);
      return postsPage(best, cursor, snapshot);
    },

    async getMentions(_, { cursor }) {
      const posts = feed.all().filter(({ authorId, text }) => authorId !== viewer.id && mentions(text));
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

type Searches = Pick<Required<SocialPlatform['operations']>, 'search' | 'searchGifs'>;

/** What is found by a word. */
export function searchOperations({ snapshot, viewer }: SocialRequest): Searches {
  const { feed, people, relations, url } = snapshot;

  function peopleAbout(keyword: string): readonly string[] {
    const found = people.all.filter((person) => personMatches(person, keyword) && !relations.parted(viewer.id, person.id));
    const counted = found.map(({ id }) => ({ id, followers: relations.followersOf(id).length }));
    return counted.toSorted((a, b) => b.followers - a.followers).map(({ id }) => id);
  }

  return {
    async search({ keyword, filter }, { cursor }) {
      if (filter === 'Lists') throw new Refusal(422, 'unsupported', 'There are no lists to search for.');
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

type Topics = Pick<Required<SocialPlatform['operations']>, 'getTopic' | 'getTopicPosts'>;

/** Topics and their posts. */
export function topicsOperations({ snapshot }: SocialRequest): Topics {
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

type Responses = Pick<Required<SocialPlatform['operations']>, 'getPostLikes' | 'getPostReposts' | 'getPostQuotes' | 'getPostComments'>;

/** What came of a post. */
export function responsesOperations(request: SocialRequest): Responses {
  const { snapshot } = request;

  function usersOf(people: readonly WorldPerson[], cursor: string | undefined): Page<User> {
    const page = pageOf(people, cursor);
    return { ...page, items: page.items.map((person) => toUser(person, snapshot)) };
  }

  return {
    getPostLikes: async ({ post }, { cursor }) => usersOf(whoReacted('like', requirePost(request, post), snapshot), cursor),
    getPostReposts: async ({ post }, { cursor }) => usersOf(whoReacted('repost', requirePost(request, post), snapshot), cursor),

    async getPostQuotes({ post }, { cursor }) {
      const quotes = snapshot.feed.quotesOf(requirePost(request, post).id);
      const authors = new Set(quotes.map(({ authorId }) => authorId));
      return usersOf(
        [...authors].flatMap((id) => snapshot.people.find(id) ?? []),
        cursor,
      );
    },

    async getPostComments({ post, getHidden: hidden }, { cursor }) {
      const page = pageOf(answersTo(requirePost(request, post), { hidden, snapshot }), cursor);
      return { ...page, items: page.items.map((answer) => toThread(answer, { hidden, snapshot })) };
    },
  };
}
