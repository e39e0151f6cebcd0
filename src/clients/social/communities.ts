import { z } from 'zod';
import { paging, type CallOptions } from '#src/clients/operation/call.ts';
import { list, read } from '#src/clients/operation/operation.ts';
import { idOf, type Choice } from './arguments.ts';
import { CommunityMembers, CommunityPosts } from './containers.ts';
import { CommunityMembersFilter, CommunityPostsFilter } from './enumerations.ts';
import { Community } from './records/discovery.ts';
import { Post } from './records/post.ts';
import { User } from './records/user.ts';

const communityParam = z.string().min(1).describe("A community's id.");

/**
 * One community.
 *
 * @example
 * const { name, memberCount } = await social.getCommunity('speedrunners');
 */
export const getCommunity = read('getCommunity', {
  watch: 'one',
  params: z.strictObject({ community: communityParam }),
  returns: Community,
  args: (community: Choice<Community>, options: CallOptions = {}) => ({ community: idOf(community, 'community'), ...options }),
});

const GetCommunityPosts = z.strictObject({
  community: communityParam,
  filter: z.enum(CommunityPostsFilter).optional().describe('Top: most liked first. By default, newest first.'),
  ...paging,
});
export interface GetCommunityPostsOptions extends Omit<z.input<typeof GetCommunityPosts>, 'community'>, CallOptions {}

/**
 * The posts of a community, newest first.
 *
 * @example
 * const best = await social.getCommunityPosts('speedrunners', { filter: 'Top' });
 */
export const getCommunityPosts = list('getCommunityPosts', {
  watch: 'feed',
  newestFirst: { filter: [undefined] },
  params: GetCommunityPosts,
  item: Post,
  into: CommunityPosts,
  args: (community: Choice<Community>, options: GetCommunityPostsOptions = {}) => ({ community: idOf(community, 'community'), ...options }),
});

const GetCommunityMembers = z.strictObject({
  community: communityParam,
  filter: z.enum(CommunityMembersFilter).optional().describe('Mods: only moderators. By default, all members.'),
  ...paging,
});
export interface GetCommunityMembersOptions extends Omit<z.input<typeof GetCommunityMembers>, 'community'>, CallOptions {}

/**
 * The members of a community.
 *
 * @example
 * const mods = await social.getCommunityMembers('speedrunners', { filter: 'Mods' });
 */
export const getCommunityMembers = list('getCommunityMembers', {
  watch: 'set',
  params: GetCommunityMembers,
  item: User,
  into: CommunityMembers,
  args: (community: Choice<Community>, options: GetCommunityMembersOptions = {}) => ({
    community: idOf(community, 'community'),
    ...options,
  }),
});
