import type { MastodonContext, Primitives } from '../context.ts';
import { PLATFORM } from '../wire/parts.ts';
import { postCountOf, TagRow } from '../wire/tag.ts';

type Topics = Pick<Primitives, 'getTopic' | 'getTopicPosts'>;

/** The path of something of a hashtag, with or without #. */
export function tagPath(list: string, tag: string): string {
  return `/api/v1/${list}/${encodeURIComponent(tag.replace(/^[#＃]/u, ''))}`;
}

/** Hashtags. */
export function topicsOperations({ api, statuses }: MastodonContext): Topics {
  return {
    async getTopic({ topic }, { signal }) {
      const response = await api.send({ path: tagPath('tags', topic), scope: 'read', signal });
      const tag = response.json(TagRow);
      return {
        platform: PLATFORM,
        id: tag.name,
        url: tag.url,
        kind: 'hashtag',
        name: `#${tag.name}`,
        postCount: postCountOf(tag),
        fetchedAt: api.now(),
      };
    },

    async getTopicPosts({ topic, replies }, options) {
      const page = await statuses.page(tagPath('timelines/tag', topic), {}, options);
      if (replies) return page;
      return { ...page, items: page.items.filter(({ replyTo }) => !replyTo), scanned: page.rows.length };
    },
  };
}
