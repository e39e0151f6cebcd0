import { z } from 'zod';
import { paging, type CallOptions } from '#src/clients/operation/call.ts';
import { list } from '#src/clients/operation/operation.ts';
import { FeedItem, FeedItems } from './records.ts';

const GetItems = z.strictObject({
  url: z
    .url({ protocol: /^https?$/, error: 'write the address of a feed, for example https://blog.example/feed.xml' })
    .max(2_000)
    .describe('The address of the feed: RSS, Atom or JSON Feed. It must be on the public internet.'),
  ...paging,
});
export interface GetItemsOptions extends Omit<z.input<typeof GetItems>, 'url'>, CallOptions {}

/**
 * The items of an RSS, Atom or JSON feed, newest first.
 *
 * An item is known by its id. An edited item keeps its id, so a rule does not announce it again. The newest 200 items count.
 *
 * @example
 * - id: blog
 *   do: feed.getItems
 *   with: { url: https://blog.example/feed.xml }
 * - do: discord.send
 *   with: { channel: announcements, content: "${{ truncate(join(steps.blog.items.map(post, post.title), ', '), 1000) }}" }
 */
export const getItems = list('getItems', {
  watch: 'feed',
  params: GetItems,
  item: FeedItem,
  into: FeedItems,
  args: (url: string | URL, options: GetItemsOptions = {}) => ({ url: String(url), ...options }),
});
