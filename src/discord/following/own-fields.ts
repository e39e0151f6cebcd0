import type { Guild } from 'discord.js';
import type { Json, JsonObject } from '#src/clients/operation/json.ts';
import { UserError } from '#src/errors.ts';
import type { Caller } from '#src/discord/caller.ts';

/**
 * Throws if fields name a channel or a role of another server, or what only `/setup` allows: to ping everyone, and a role that members get. A
 * file can have values of any kind.
 */
export function assertOwn({ channel, ping, liveRole }: JsonObject, guild: Guild | null, { texts: { following, setup } }: Caller): void {
  if (isSet(channel) && (typeof channel !== 'string' || !guild?.channels.cache.has(channel))) throw new UserError(following.foreignChannel);
  if (isSet(liveRole)) throw new UserError(following.liveRole);
  if (!isSet(ping)) return;
  // The role of all members has the id of the server.
  if (ping === 'everyone' || ping === 'here' || ping === guild?.id) throw new UserError(following.everyone);
  if (typeof ping !== 'string' || !guild?.roles.cache.has(ping)) throw new UserError(setup.foreignRole);
}

/** Null removes a field. */
function isSet(value: Json | undefined): boolean {
  return value !== undefined && value !== null;
}
