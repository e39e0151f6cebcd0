import { z } from 'zod';
import { Person, ref } from '#src/operation/record.ts';
import { Media, count, Entity, fetchedAt } from './media.ts';

const poll = z.object({
  id: z.string().optional(),
  options: z.array(z.object({ index: count, label: z.string(), votes: count.optional() })),
  totalVotes: count.optional(),
  voters: count.optional().describe('The number of voters; with several choices, it is lower than the number of votes.'),
  endsAt: z.date(),
  closed: z.boolean(),
  multiple: z.boolean(),
});

/** A poll. */
export interface Poll extends z.output<typeof poll> {}
export const Poll: z.ZodType<Poll> = poll;

const place = z.object({
  id: z.string(),
  name: z.string(),
  fullName: z.string().optional(),
  country: z.string().optional(),
  countryCode: z.string().optional(),
});

/** A place in the world. */
export interface Place extends z.output<typeof place> {}
export const Place: z.ZodType<Place> = place;

const post = z.object({
  ...ref,
  author: Person,
  text: z.string(),
  entities: z.array(Entity).describe('Links, mentions and tags in the text. Offsets count UTF-16 units.'),
  language: z.string().optional(),
  createdAt: z.date(),
  editedAt: z.date().optional(),
  conversationId: z.string().optional().describe('The first post of the thread.'),
  replyTo: z.object({ postId: z.string(), userId: z.string().optional() }).optional(),
  quoted: z
    .object({ postId: z.string(), state: z.enum(['accepted', 'pending', 'unavailable', 'blocked']), text: z.string().optional() })
    .optional(),
  repostOf: z
    .string()
    .optional()
    .describe('The id of the reposted post. A repost has the text and the counts of that post, but its own id, time and author.'),
  media: z.array(Media),
  sensitive: z.boolean().optional().describe('Whether the author or the platform marked the media as sensitive.'),
  poll: Poll.optional(),
  place: Place.optional(),
  communityId: z.string().optional(),
  card: z
    .object({ url: z.string(), title: z.string(), description: z.string().optional(), imageUrl: z.string().optional() })
    .optional()
    .describe('The preview of a linked page.'),
  visibility: z.enum(['public', 'unlisted', 'followers', 'direct']),
  replyAudience: z
    .enum(['everyone', 'following', 'followers', 'mentioned', 'subscribers', 'verified', 'nobody'])
    .describe('Who can reply. `following`: users that the author follows.'),
  counts: z.object({
    likes: count,
    reposts: count,
    replies: count,
    quotes: count,
    bookmarks: count.optional(),
    impressions: count.optional(),
  }),
  viewer: z
    .object({ liked: z.boolean(), reposted: z.boolean(), bookmarked: z.boolean(), pinned: z.boolean() })
    .optional()
    .describe('The actions of the signed-in user on it.'),
  hidden: z.boolean().optional().describe('Whether the author of the thread has hidden it.'),
  fetchedAt,
});

/** A published post. */
export interface Post extends z.output<typeof post> {}
export const Post: z.ZodType<Post> = post;

const conversationThread = z.object({
  id: z.string().describe('The id of its first post.'),
  root: Post,
  replies: z.array(z.object({ depth: count, post: Post })),
  hiddenCount: count.optional(),
});

/** A direct reply to a post, with all replies below it. */
export interface ConversationThread extends z.output<typeof conversationThread> {}
export const ConversationThread: z.ZodType<ConversationThread> = conversationThread;

const scheduledPost = z.object({
  platform: z.string(),
  id: z.string(),
  origin: z.enum(['remote', 'local']).describe('Where it is stored: `remote` on the platform, `local` in Fanfare.'),
  sendAt: z.date(),
  text: z.string(),
  media: z.array(Media),
  state: z.enum(['scheduled', 'sending', 'failed']),
});

/** A scheduled post. */
export interface ScheduledPost extends z.output<typeof scheduledPost> {}
export const ScheduledPost: z.ZodType<ScheduledPost> = scheduledPost;
