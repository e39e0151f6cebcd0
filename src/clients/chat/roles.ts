import { z } from 'zod';
import { paging, type CallOptions, type WriteOptions } from '#src/clients/operation/call.ts';
import { list, write } from '#src/clients/operation/operation.ts';
import { NO_NAME, server } from './parameters.ts';
import { Member, Members, RoleChange, VoiceMember, VoiceMembers } from './records.ts';

const Membership = z.strictObject({
  user: z.string().min(1).describe(`A member of the account's server: an id, a handle, or a unique name. ${NO_NAME}`),
  role: z.string().min(1).describe("A role of the account's server, below the role of the bot: its name or its id."),
  server,
});

function membership(
  user: string,
  role: string,
  options: WriteOptions & { readonly server?: string | undefined } = {},
): z.input<typeof Membership> & WriteOptions {
  return { user, role, ...options };
}

/**
 * Adds a role to a member. With `server`, a role with permissions of moderators is refused, because the administrators of that server choose it,
 * and a user who has left the server gets no role, without a failure.
 *
 * @example
 * - do: discord.addRole
 *   with: { user: ada, role: Live }
 */
export const addRole = write('addRole', { effect: 'sets', params: Membership, returns: RoleChange, args: membership });

/**
 * Removes a role from a member. A user who has left the server, given by an id, has no role any longer, and no one has a
 * deleted role, given by its id: then there is nothing to remove. A step of `finally` is skipped while another open episode of the rule has
 * added the role to the same member.
 *
 * @example
 * - do: discord.removeRole
 *   with: { user: ada, role: Live }
 */
export const removeRole = write('removeRole', { effect: 'sets', params: Membership, returns: RoleChange, args: membership });

const STATUSES = ['online', 'idle', 'dnd', 'offline'] as const;

const GetMembers = z.strictObject({
  role: z.string().min(1).optional().describe("Only members with this role of the account's server: its name or its id."),
  status: z
    .union([z.enum(STATUSES), z.array(z.enum(STATUSES)).min(1)])
    .optional()
    .describe('Only members with this status, or with one of these. Requires the Presence Intent, and the connection to the gateway.'),
  ...paging,
});
export interface GetMembersOptions extends z.input<typeof GetMembers>, CallOptions {}

/**
 * The members of the account's server, oldest account first. Discord lists them only if the Server Members Intent is on, on the page Bot of the
 * application. With `status`, an answer is an error while Fanfare does not know the status of all members, for example after a lost connection.
 *
 * @example
 * - id: members
 *   do: discord.getMembers
 *   with: { role: Live }
 * - do: discord.send
 *   if: steps.members.items.size() > 0
 *   with: { channel: general, content: "${{ string(steps.members.items.size()) }} members are live" }
 */
export const getMembers = list('getMembers', {
  watch: 'set',
  params: GetMembers,
  item: Member,
  into: Members,
  args: (options: GetMembersOptions = {}) => options,
});

const GetVoiceMembers = z.strictObject({
  streaming: z.boolean().optional().describe('Only members who share the screen, or only members who do not.'),
  ...paging,
});
export interface GetVoiceMembersOptions extends z.input<typeof GetVoiceMembers>, CallOptions {}

/**
 * The members in the voice channels of the account's server. An answer is an error while Fanfare does not know all of them, for example after a
 * lost connection to the gateway.
 *
 * @example
 * - id: shown
 *   do: discord.getVoiceMembers
 *   with: { streaming: true }
 * - do: discord.send
 *   if: steps.shown.items.size() > 0
 *   with: { channel: general, content: "${{ steps.shown.items[0].displayName }} shares the screen" }
 */
export const getVoiceMembers = list('getVoiceMembers', {
  watch: 'set',
  params: GetVoiceMembers,
  item: VoiceMember,
  into: VoiceMembers,
  args: (options: GetVoiceMembersOptions = {}) => options,
});
