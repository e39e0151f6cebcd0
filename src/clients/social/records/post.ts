import { z } from 'zod';
import { Author, ref } from '#src/clients/operation/record.ts';
import { PostVisibility, QuoteAudience } from '../enumerations.ts';
import { Media, count, Entity, fetchedAt } from './media.ts';

const poll = z.object({
  id: z.string().optional().describe("The platform's id."),
  options: z
    .array(
      z.object({
        index: count.describe('The position, from 0.'),
        label: z.string().describe('The text.'),
        votes: count.optional().describe('The number of votes.'),
      }),
    )
    .describe('The options with their votes.'),
  totalVotes: count.optional().describe('The number of votes.'),
  voters: count.optional().describe('The number of voters; with several choices, it is lower than the number of votes.'),
  endsAt: z.date().describe('The end of the poll.'),
  closed: z.boolean().describe('Whether the poll has ended.'),
  multiple: z.boolean().describe('Whether voters can choose several options.'),
});

/** A poll. */
export interface Poll extends z.output<typeof poll> {}
export const Poll: z.ZodType<Poll> = poll;

const place = z.object({
  id: z.string().describe("The platform's id."),
  name: z.string().describe('The name.'),
  fullName: z.string().optional().describe('The name with its region.'),
  country: z.string().optional().describe('The country.'),
  countryCode: z.string().optional().describe('The code of the country, for example `DE`.'),
});

/** A place in the world. */
export interface Place extends z.output<typeof place> {}
export const Place: z.ZodType<Place> = place;

const post = z.object({
  ...ref,
  firstVersionId: z
    .string()
    .optional()
    .describe(
      'The id of the first version of an edited post on X, where each edit has a new id. Absent if `id` is that of the first version.',
    ),
  author: Author.describe('The author.'),
  text: z
    .string()
    .describe(
      'The text. A post with a content warning begins with the warning. On Bluesky, the labels of the media are the warning, and the text stays.',
    ),
  warning: z.string().optional().describe('The content warning. On Bluesky, the labels of the media, for example `Nudity`. X has none.'),
  entities: z.array(Entity).describe('Links, mentions and tags in the text. Offsets count UTF-16 units.'),
  language: z.string().optional().describe('The language of the text, for example `de`.'),
  createdAt: z.date().describe('The time of creation.'),
  editedAt: z.date().optional().describe('The time of the last edit.'),
  conversationId: z.string().optional().describe('The first post of the thread.'),
  replyTo: z
    .object({ postId: z.string().describe('The id of the post.'), userId: z.string().optional().describe('The id of its author.') })
    .optional()
    .describe('The post that it replies to, and its author.'),
  quoted: z
    .object({
      postId: z.string().describe('The id of the post.'),
      state: z.enum(['accepted', 'pending', 'unavailable', 'blocked']).describe('Whether the platform shows it.'),
      text: z.string().optional().describe('The text.'),
      warning: z.string().optional().describe('The content warning, which is also the beginning of the text.'),
    })
    .optional()
    .describe('The quoted post.'),
  repostOf: z
    .string()
    .optional()
    .describe('The id of the reposted post. A repost has the text and the counts of that post, but its own id, time and author.'),
  media: z.array(Media).describe('The pictures, videos and sounds.'),
  sensitive: z.boolean().optional().describe('Whether the author or the platform marked the media as sensitive.'),
  poll: Poll.optional().describe('The poll.'),
  place: Place.optional().describe('The place.'),
  communityId: z.string().optional().describe('The id of the community.'),
  card: z
    .object({
      url: z.string().describe('The address of the page.'),
      title: z.string().describe('The title.'),
      description: z.string().optional().describe('The description.'),
      imageUrl: z.string().optional().describe('The address of the picture.'),
    })
    .optional()
    .describe('The preview of a linked page.'),
  visibility: z.enum(PostVisibility).describe('Who sees the post.'),
  replyAudience: z
    .enum(['everyone', 'following', 'followers', 'mentioned', 'subscribers', 'verified', 'nobody'])
    .describe('Who can reply. `following`: users that the author follows.'),
  quotable: z.enum(QuoteAudience).optional().describe('Who can quote the post, if the platform states it.'),
  counts: z
    .object({
      likes: count.describe('The number of likes.'),
      reposts: count.describe('The number of reposts.'),
      replies: count.describe('The number of replies.'),
      quotes: count.describe('The number of quotes.'),
      bookmarks: count.optional().describe('The number of bookmarks.'),
      impressions: count.optional().describe('How often the post was shown.'),
    })
    .describe('The numbers of reactions.'),
  viewer: z
    .object({
      liked: z.boolean().describe('Whether the user likes it.'),
      reposted: z.boolean().describe('Whether the user reposted it.'),
      bookmarked: z.boolean().describe('Whether the user bookmarked it.'),
      pinned: z.boolean().describe('Whether the user pinned it.'),
    })
    .optional()
    .describe('The actions of the signed-in user on it.'),
  hidden: z.boolean().optional().describe('Whether the author of the thread has hidden it.'),
  fetchedAt,
});

/** A published post. */
export interface Post extends z.output<typeof post> {}
export const Post: z.ZodType<Post> = post;

const conversationThread = z.object({
  id: z.string().describe('The id of its first post, and on X of the first version of that post.'),
  root: Post.describe('The first post.'),
  replies: z.array(z.object({ depth: count, post: Post })).describe('The posts below it. `depth` is the level below the first post.'),
  hiddenCount: count.optional().describe('The number of replies that the platform hides.'),
});

/** A direct reply to a post, with all replies below it. */
export interface ConversationThread extends z.output<typeof conversationThread> {}
export const ConversationThread: z.ZodType<ConversationThread> = conversationThread;

const scheduledPost = z.object({
  platform: z.string().describe('The platform, for example `mastodon`.'),
  id: z.string().describe('The id of the scheduled post.'),
  origin: z.enum(['remote', 'local']).describe('The place where it is stored: `remote` is the platform, `local` is Fanfare.'),
  sendAt: z.date().describe('When it is sent.'),
  text: z.string().describe('The text. A post with a content warning begins with the warning.'),
  warning: z.string().optional().describe('The content warning.'),
  media: z.array(Media).describe('The files.'),
  visibility: z.enum(PostVisibility).optional().describe('The audience of the post, if the platform states it.'),
  state: z.enum(['scheduled', 'sending', 'failed']).describe('The state.'),
});

/** A scheduled post. */
export interface ScheduledPost extends z.output<typeof scheduledPost> {}
export const ScheduledPost: z.ZodType<ScheduledPost> = scheduledPost;
