import type { BaseInteraction } from 'discord.js';
import type { Json } from '#src/clients/operation/json.ts';
import { UserError } from '#src/errors.ts';
import { requireServer, type Caller } from '#src/discord/caller.ts';
import { requireMayPing } from '#src/discord/servers/member-rights.ts';
import { requireMayPost } from '#src/discord/servers/require-may-post.ts';
import { readServerState, type ServerState } from '#src/discord/servers/server-state.ts';

/** The fields of an entry that name something in a server. A file can have values of any kind. */
interface ServerFields {
  readonly channel?: Json | undefined;
  readonly ping?: Json | undefined;
  readonly liveRole?: Json | undefined;
}

/**
 * Throws if entries name a channel or a role of another server, a channel where the caller may not post, a role that the caller may not ping,
 * or what only `/setup` allows: to ping everyone, and a role that members get.
 */
export async function assertOwn(
  entries: readonly ServerFields[],
  { client }: Pick<BaseInteraction, 'client'>,
  caller: Caller,
): Promise<void> {
  const { following, setup } = caller.texts;
  const server = requireServer(caller);
  let reading: Promise<ServerState> | undefined;
  const read = (): Promise<ServerState> => (reading ??= readServerState(client.rest, { server, bot: client.user.id }));
  for (const { channel, ping, liveRole } of entries) {
    if (isSet(channel)) await requireMayPost(typeof channel === 'string' ? channel : '', await read(), caller);
    if (isSet(liveRole)) throw new UserError(following.liveRole);
    if (!isSet(ping)) continue;
    // The role of all members has the id of the server.
    if (ping === 'everyone' || ping === 'here' || ping === server) throw new UserError(following.everyone);
    const state = await read();
    if (typeof ping !== 'string' || !state.roles.some(({ id }) => id === ping)) throw new UserError(setup.foreignRole);
    requireMayPing(ping, state, caller);
  }
}

/** Null removes a field. */
function isSet(value: Json | undefined): boolean {
  return value !== undefined && value !== null;
}
