import { z } from 'zod';
import { ref } from '#src/clients/operation/record.ts';
import { count, fetchedAt } from './media.ts';

const user = z.object({
  ...ref,
  handle: z.string().describe('The name in addresses and mentions, without @.'),
  displayName: z.string().describe('The displayed name.'),
  bio: z.string().optional().describe('The description of the profile.'),
  avatarUrl: z.string().optional().describe('The address of the profile picture.'),
  bannerUrl: z.string().optional().describe('The address of the banner.'),
  createdAt: z.date().optional().describe('The time of registration.'),
  followerCount: count.optional().describe('The number of followers.'),
  followingCount: count.optional().describe('The number of followed users.'),
  postCount: count.optional().describe('The number of posts.'),
  verified: z
    .enum(['none', 'blue', 'business', 'government', 'domain'])
    .describe('The kind of verification. `domain`: the handle is a domain of the user.'),
  protected: z.boolean().optional().describe('Whether only followers see the posts.'),
  bot: z.boolean().optional().describe('Whether the account states that it is automated.'),
  location: z.string().optional().describe('The place in the profile.'),
  websiteUrl: z.string().optional().describe('The web address in the profile.'),
  language: z.string().optional().describe('The language of the user, for example `de`.'),
  pinnedPostIds: z.array(z.string()).optional().describe('The ids of the pinned posts.'),
  viewer: z
    .object({ following: z.boolean(), followedBy: z.boolean(), blocking: z.boolean(), notifying: z.boolean(), canDm: z.boolean() })
    .optional()
    .describe('The relation to the signed-in user.'),
  fetchedAt,
});

/** A user of the platform. */
export interface User extends z.output<typeof user> {}
export const User: z.ZodType<User> = user;
