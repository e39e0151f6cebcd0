import { z } from 'zod';
import type { WriteOptions } from '#src/operation/call.ts';
import { write } from '#src/operation/operation.ts';
import { Person } from '#src/operation/record.ts';

const Membership = z.strictObject({
  user: z.string().min(1).describe("A member of the account's server: an id, a handle, or a unique name."),
  role: z.string().min(1).describe("A role of the account's server, below the role of the bot: its name or its id."),
});

function membership(user: string, role: string, options: WriteOptions = {}): z.input<typeof Membership> & WriteOptions {
  return { user, role, ...options };
}

/**
 * Adds a role to a member.
 *
 * @example
 * - do: discord.addRole
 *   with: { user: ada, role: Live }
 */
export const addRole = write('addRole', { effect: 'sets', params: Membership, returns: Person, args: membership });

/**
 * Removes a role from a member.
 *
 * @example
 * - do: discord.removeRole
 *   with: { user: ada, role: Live }
 */
export const removeRole = write('removeRole', { effect: 'sets', params: Membership, returns: Person, args: membership });
