import { z } from 'zod';
import { Person, ref } from '#src/clients/operation/record.ts';
import { count, fetchedAt } from './media.ts';

const community = z.object({
  ...ref,
  name: z.string().describe('The name.'),
  description: z.string().optional().describe('The description.'),
  memberCount: count.optional().describe('The number of members.'),
  createdAt: z.date().optional().describe('The time of creation.'),
  joinPolicy: z
    .enum(['open', 'approval', 'invitation'])
    .optional()
    .describe('Who can join: everyone, users that a moderator approves, or invited users.'),
  role: z.enum(['none', 'member', 'moderator', 'admin']).optional().describe('The role of the signed-in user.'),
  fetchedAt,
});

/** A community. */
export interface Community extends z.output<typeof community> {}
export const Community: z.ZodType<Community> = community;

const userList = z.object({
  ...ref,
  name: z.string().describe('The name.'),
  description: z.string().optional().describe('The description.'),
  owner: Person.optional().describe('The owner.'),
  visibility: z.enum(['public', 'private']).describe('Who can see the list.'),
  memberCount: count.optional().describe('The number of members.'),
  followerCount: count.optional().describe('The number of followers.'),
  createdAt: z.date().optional().describe('The time of creation.'),
  fetchedAt,
});

/** A list of users. */
export interface UserList extends z.output<typeof userList> {}
export const UserList: z.ZodType<UserList> = userList;

const topic = z.object({
  ...ref,
  kind: z.enum(['annotation', 'feed', 'hashtag']).describe('A topic of the platform (`annotation`), a feed or a hashtag.'),
  name: z.string().describe('The name. The name of a hashtag begins with #.'),
  description: z.string().optional().describe('The description.'),
  postCount: count.optional().describe('The number of posts.'),
  fetchedAt,
});

/** A topic of posts. */
export interface Topic extends z.output<typeof topic> {}
export const Topic: z.ZodType<Topic> = topic;

const trends = z.object({
  rank: z.int().min(1).describe('The position, from 1.'),
  name: z.string().describe('The name.'),
  kind: z.enum(['hashtag', 'phrase', 'topic']).describe('The kind of the trend.'),
  url: z.string().optional().describe('The web address.'),
  postCount: count.optional().describe('The number of posts.'),
  category: z.string().optional().describe('The category on the platform.'),
});

/** A trend. */
export interface Trends extends z.output<typeof trends> {}
export const Trends: z.ZodType<Trends> = trends;

const gif = z.object({
  provider: z.string().describe('The provider, for example `giphy`.'),
  id: z.string().describe("The provider's id."),
  title: z.string().optional().describe('The title.'),
  altText: z.string().optional().describe('The alternative text.'),
  url: z.string().describe('The address of the GIF.'),
  previewUrl: z.string().describe('The address of a small version.'),
  mp4Url: z.string().optional().describe('The address of the video version.'),
  width: count.describe('The width in pixels.'),
  height: count.describe('The height in pixels.'),
  rating: z.enum(['g', 'pg', 'pg-13', 'r']).optional().describe('The age rating.'),
});

/** A GIF from a provider. */
export interface Gif extends z.output<typeof gif> {}
export const Gif: z.ZodType<Gif> = gif;
