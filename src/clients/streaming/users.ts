import { z } from 'zod';
import { paging, type CallOptions } from '#src/clients/operation/call.ts';
import { userText, type IdValue } from '#src/clients/operation/parameters.ts';
import { list, read } from '#src/clients/operation/operation.ts';
import { userName } from './choices.ts';
import { TeamMembers } from './containers.ts';
import { User } from './records.ts';

const GetUser = z.strictObject({
  user: userText().describe('A handle, with or without @, or an id.'),
});

/**
 * One user of the platform.
 *
 * @example
 * const ada = await bot.getUser('ada');
 */
export const getUser = read('getUser', {
  watch: 'one',
  params: GetUser,
  returns: User,
  args: (user: IdValue | User, options: CallOptions = {}) => ({ user: userName(user), ...options }),
});

const GetTeamMembers = z.strictObject({
  team: z.string().min(1).describe('The name of the team, as in the address of its page.'),
  ...paging,
});
export interface GetTeamMembersOptions extends Omit<z.input<typeof GetTeamMembers>, 'team'>, CallOptions {}

/**
 * The channels of a team.
 *
 * @example
 * const { length } = await bot.getTeamMembers('nightshift');
 */
export const getTeamMembers = list('getTeamMembers', {
  watch: 'set',
  params: GetTeamMembers,
  item: User,
  into: TeamMembers,
  args: (team: string, options: GetTeamMembersOptions = {}) => ({ ...options, team }),
});
