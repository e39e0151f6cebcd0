import { z } from 'zod';
import { Person, ref } from '#src/operation/record.ts';
import { Media, count, Entity, fetchedAt } from './media.ts';

const poll = z.object({
  id: z.string().optional(),
  options: z.array(z.object({ index: count, label: z.string(), votes: count.optional() })),
  totalVotes: count.optional(),
  voters: count.optional().describe('How many people chose; fewer than votes where several answers may be chosen.'),
  endsAt: z.date(),
  closed: z.boolean(),
  multiple: z.boolean(),
});

/** A question with answers to choose from. */
export interface Poll extends z.output<typeof poll> {}
export const Poll: z.ZodType<Poll> = poll;

const place = z.object({
  id: z.string(),
  name: z.string(),
  fullName: z.string().optional(),
  country: z.string().optional(),
  countryCode: z.string().optional(),
});

/** Somewhere in the world. */
export interface Place extends z.output<typeof place> {}
export const Place: z.ZodType<Place> = place;

const post = z.object({
  ...ref,
  author: Person,
  text: z.string(),
  entities: z.array(Entity).describe('Addresses, people and tags in the text; offsets count UTF-16 units.'),
  language: z.string().optional(),
  createdAt: z.date(),
  editedAt: z.date().optional(),
  conversationId: z.string().optional().describe('The post that began the thread.'),
  replyTo: z.object({ postId: z.string(), userId: z.string().optional() }).optional(),
  quoted: z
    .object({ postId: z.string(), state: z.enum(['accepted', 'pending', 'unavailable', 'blocked']), text: z.string().optional() })
    .optional(),
  repostOf: z
    .string()
    .optional()
    .describe('The id of the post that it passes on: it has the text and the counts of that one, and its own id, time and author.'),
  media: z.array(Media),
  sensitive: z.boolean().optional().describe('Whether its media are not for everybody, as its author or the platform says.'),
  poll: Poll.optional(),
  place: Place.optional(),
  communityId: z.string().optional(),
  card: z
    .object({ url: z.string(), title: z.string(), description: z.string().optional(), imageUrl: z.string().optional() })
    .optional()
    .describe('What is shown of the page that it links to.'),
  visibility: z.enum(['public', 'unlisted', 'followers', 'direct']),
  replyAudience: z
    .enum(['everyone', 'following', 'followers', 'mentioned', 'subscribers', 'verified', 'nobody'])
    .describe('Who may answer: `following` are those whom its author follows.'),
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
    .describe('What the signed-in user has done with it.'),
  hidden: z.boolean().optional().describe('Hidden from the thread by whoever began it.'),
  fetchedAt,
});

/** A short text that somebody published. */
export interface Post extends z.output<typeof post> {}
export const Post: z.ZodType<Post> = post;

const conversationThread = z.object({
  id: z.string().describe("The first post's id."),
  root: Post,
  replies: z.array(z.object({ depth: count, post: Post })),
  hiddenCount: count.optional(),
});

/** One answer to a post, and what was said below it. */
export interface ConversationThread extends z.output<typeof conversationThread> {}
export const ConversationThread: z.ZodType<ConversationThread> = conversationThread;

const scheduledPost = z.object({
  platform: z.string(),
  id: z.string(),
  origin: z.enum(['remote', 'local']).describe('Who keeps it: the platform, or we.'),
  sendAt: z.date(),
  text: z.string(),
  media: z.array(Media),
  state: z.enum(['scheduled', 'sending', 'failed']),
});

/** A post that goes out later. */
export interface ScheduledPost extends z.output<typeof scheduledPost> {}
export const ScheduledPost: z.ZodType<ScheduledPost> = scheduledPost;
