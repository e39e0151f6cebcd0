import { z } from 'zod';
import { Person, ref } from '#src/operation/record.ts';
import { count, fetchedAt } from './media.ts';

const community = z.object({
  ...ref,
  name: z.string(),
  description: z.string().optional(),
  memberCount: count.optional(),
  createdAt: z.date().optional(),
  joinPolicy: z.enum(['open', 'approval', 'invitation']).optional(),
  role: z.enum(['none', 'member', 'moderator', 'admin']).optional().describe('The role of the signed-in user.'),
  fetchedAt,
});

/** A community. */
export interface Community extends z.output<typeof community> {}
export const Community: z.ZodType<Community> = community;

const userList = z.object({
  ...ref,
  name: z.string(),
  description: z.string().optional(),
  owner: Person.optional(),
  visibility: z.enum(['public', 'private']),
  memberCount: count.optional(),
  followerCount: count.optional(),
  createdAt: z.date().optional(),
  fetchedAt,
});

/** A list of users. */
export interface UserList extends z.output<typeof userList> {}
export const UserList: z.ZodType<UserList> = userList;

const topic = z.object({
  ...ref,
  kind: z.enum(['annotation', 'feed', 'hashtag']),
  name: z.string(),
  description: z.string().optional(),
  postCount: count.optional(),
  fetchedAt,
});

/** A topic of posts. */
export interface Topic extends z.output<typeof topic> {}
export const Topic: z.ZodType<Topic> = topic;

const trends = z.object({
  rank: z.int().min(1),
  name: z.string(),
  kind: z.enum(['hashtag', 'phrase', 'topic']),
  url: z.string().optional(),
  postCount: count.optional(),
  category: z.string().optional(),
});

/** A trend. */
export interface Trends extends z.output<typeof trends> {}
export const Trends: z.ZodType<Trends> = trends;

const gif = z.object({
  provider: z.string(),
  id: z.string(),
  title: z.string().optional(),
  altText: z.string().optional(),
  url: z.string(),
  previewUrl: z.string(),
  mp4Url: z.string().optional(),
  width: count,
  height: count,
  rating: z.enum(['g', 'pg', 'pg-13', 'r']).optional(),
});

/** A GIF from a provider. */
export interface Gif extends z.output<typeof gif> {}
export const Gif: z.ZodType<Gif> = gif;
