import { z } from 'zod';
import { ref } from '#src/clients/operation/record.ts';
import { Container } from '#src/clients/paging/container.ts';

const feedItem = z.object({
  ...ref,
  id: z
    .string()
    .describe(
      'The id in the feed, with a hash of the address if older items with another title and address share the id; without an id, the address of the item, with a hash of the title if older items share the address, else a hash of its title or its text.',
    ),
  feed: z
    .object({
      title: z.string().optional().describe('The title of the feed.'),
      url: z.string().describe('The address of the feed, as the rule has it.'),
    })
    .describe('The feed.'),
  title: z.string().optional().describe('The title; posts of social networks have none.'),
  text: z.string().optional().describe('The summary, else the content, without markup and at most 5,000 characters long.'),
  authorName: z.string().optional().describe('The name of the author.'),
  tags: z.array(z.string()).describe('The categories.'),
  publishedAt: z.date().optional().describe('The time of publication.'),
  updatedAt: z.date().optional().describe('The time of the last edit.'),
  thumbnailUrl: z
    .string()
    .optional()
    .describe('The address of the picture; absent if the feed rates it as adult, as Mastodon does with sensitive ones.'),
  enclosure: z
    .object({
      url: z.string().describe('The address of the file.'),
      type: z.string().optional().describe('The media type, for example `audio/mpeg`.'),
      sizeBytes: z.int().min(0).optional().describe('The size that the feed states.'),
    })
    .optional()
    .describe('The attached file, for example the recording of a podcast.'),
  durationMs: z.int().min(0).optional().describe('The length of the recording in milliseconds.'),
  fetchedAt: z.date().describe('The time of the response. A response without changes keeps its items and their time.'),
});

/** An item of a feed. */
export interface FeedItem extends z.output<typeof feedItem> {}
export const FeedItem: z.ZodType<FeedItem> = feedItem;

/** The items of one feed. */
export class FeedItems extends Container<FeedItem> {}
