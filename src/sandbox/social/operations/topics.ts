import type { SocialPlatform } from '#src/social/social.ts';
import type { Meeting } from '../meeting.ts';
import { postsPage } from '../record-pages.ts';
import { notFound } from '../refusal.ts';
import { findTopic, postsAbout, type StoredTopic } from '../topics.ts';
import { PLATFORM } from '../user-record.ts';

type Topics = Pick<Required<SocialPlatform['operations']>, 'getTopic' | 'getTopicPosts'>;

/** What posts are about. */
export function topicsOperations({ moment }: Meeting): Topics {
  const { feed, now } = moment;

  function requireTopic(id: string): StoredTopic {
    const topic = findTopic(id, moment);
    if (!topic) throw notFound(`topic ${id}`);
    return topic;
  }

  return {
    async getTopic({ topic: given }) {
      const topic = requireTopic(given);
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
      return postsPage(replies ? posts : posts.filter(({ replyTo }) => replyTo === undefined), cursor, moment);
    },
  };
}
