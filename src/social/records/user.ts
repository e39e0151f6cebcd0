import { z } from 'zod';
import { ref } from '#src/operation/record.ts';
import { count, fetchedAt } from './media.ts';

const user = z.object({
  ...ref,
  handle: z.string(),
  displayName: z.string(),
  bio: z.string().optional(),
  avatarUrl: z.string().optional(),
  bannerUrl: z.string().optional(),
  createdAt: z.date().optional(),
  followerCount: count.optional(),
  followingCount: count.optional(),
  postCount: count.optional(),
  verified: z.enum(['none', 'blue', 'business', 'government', 'domain']),
  protected: z.boolean().optional().describe('Whether only followers see the posts.'),
  bot: z.boolean().optional(),
  location: z.string().optional(),
  websiteUrl: z.string().optional(),
  language: z.string().optional(),
  pinnedPostIds: z.array(z.string()).optional(),
  viewer: z
    .object({ following: z.boolean(), followedBy: z.boolean(), blocking: z.boolean(), notifying: z.boolean(), canDm: z.boolean() })
    .optional()
    .describe('The relation to the signed-in user.'),
  fetchedAt,
});

/** A user of the platform. */
export interface User extends z.output<typeof user> {}
export const User: z.ZodType<User> = user;
