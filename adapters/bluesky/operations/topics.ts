import { z } from 'zod';
import type { PageOptions } from '#src/clients/operation/platform.ts';
import type { Page } from '#src/clients/paging/page.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import { isFault } from '#src/http/errors.ts';
import type { AccountContext } from '../account-context.ts';
import { atUri, readAddress, tagUrl } from '../addresses.ts';
import { failure, PLATFORM, type Primitives } from '../errors.ts';
import { readFeed, filteredPage } from '../pages.ts';
import { FeedView, toFeedTopic } from '../wire/list.ts';
import { maybeCount } from '../wire/parts.ts';
import { searchPosts } from './search.ts';

const FEED = 'app.bsky.feed.generator';
const Generator = z.object({ view: FeedView });
const Hits = z.object({ hitsTotal: maybeCount });

/** Topics: feeds with an algorithm, and hashtags. */
export function topics(account: AccountContext): Pick<Primitives, 'getTopic' | 'getTopicPosts'> {
  const { xrpc, names, now } = account;

  /** The address of the feed that a topic names; undefined for a hashtag. */
  async function feedOf(topic: string, signal: AbortSignal | undefined): Promise<string | undefined> {
    const isFeed = topic.startsWith('at://') || readAddress(topic) !== undefined;
    return isFeed ? atUri(await names.recordOf(topic, [FEED], signal)) : undefined;
  }

  function read(topic: string, feed: string | undefined, options: PageOptions): Promise<Page<Post>> {
    if (feed === undefined) return searchPosts(account, `#${tagOf(topic)}`, 'latest', options);
    return readFeed(account, { nsid: 'app.bsky.feed.getFeed', rows: 'feed', query: { feed } }, options);
  }

  return {
    async getTopic({ topic }, { signal }) {
      const feed = await feedOf(topic, signal);
      if (feed !== undefined) {
        const { view } = await xrpc.query('app.bsky.feed.getFeedGenerator', Generator, { feed }, { signal }).catch((error: unknown) => {
          throw isFault(error, 'missing') ? failure('missing', `there is no feed ${feed}.`, error) : error;
        });
        return toFeedTopic(view, now());
      }
      const tag = tagOf(topic);
      const { hitsTotal } = await xrpc.query('app.bsky.feed.searchPosts', Hits, { q: `#${tag}`, tag, limit: 1 }, { signal });
      return { platform: PLATFORM, id: tag, url: tagUrl(tag), kind: 'hashtag', name: `#${tag}`, postCount: hitsTotal, fetchedAt: now() };
    },

    async getTopicPosts({ topic, replies }, options) {
      const feed = await feedOf(topic, options.signal);
      if (replies) return read(topic, feed, options);
      return filteredPage<Post>(
        ({ replyTo }) => replyTo === undefined,
        (from) => read(topic, feed, from),
        { ...options, requests: account.pageRequests },
      );
    },
  };
}

function tagOf(topic: string): string {
  const tag = topic.trim().replace(/^[#＃]/u, '');
  if (tag === '' || /\s/u.test(tag)) throw failure('missing', `"${topic}" is neither a hashtag nor the address of a feed.`);
  return tag;
}
