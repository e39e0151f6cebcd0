import { z } from 'zod';
import { Person, ref } from '#src/operation/record.ts';

const fetchedAt = z.date().describe('When the platform said so.');
const count = z.int().min(0);

const user = z.object({
  ...ref,
  handle: z.string(),
  displayName: z.string(),
  bio: z.string().optional(),
  avatarUrl: z.string().optional(),
  createdAt: z.date().optional(),
  followerCount: count.optional(),
  followingCount: count.optional(),
  postCount: count.optional(),
  verified: z.enum(['none', 'blue', 'business', 'government', 'domain']),
  protected: z.boolean().optional(),
  bot: z.boolean().optional(),
  fetchedAt,
});

/** Somebody who has an account on the platform. */
export interface User extends z.output<typeof user> {}
export const User: z.ZodType<User> = user;

const post = z.object({
  ...ref,
  author: Person,
  text: z.string(),
  createdAt: z.date(),
  editedAt: z.date().optional(),
  replyTo: z.object({ postId: z.string(), userId: z.string().optional() }).optional(),
  quoted: z.object({ postId: z.string() }).optional(),
  visibility: z.enum(['public', 'unlisted', 'followers', 'direct']),
  counts: z.object({ likes: count, reposts: count, replies: count, quotes: count }),
  fetchedAt,
});

/** A short text that somebody published. */
export interface Post extends z.output<typeof post> {}
export const Post: z.ZodType<Post> = post;
