import type { BaseInteraction } from 'discord.js';
import type { Json, JsonObject } from '#src/clients/operation/json.ts';
import { UserError } from '#src/errors.ts';
import { followedMistakes } from '#src/rules/people/followed-fields.ts';
import { NotAllowed } from '#src/discord/explain-error.ts';
import { requireServer, type Caller } from '#src/discord/caller.ts';
import { requireMayPing } from '#src/discord/servers/member-rights.ts';
import { requireMayPost } from '#src/discord/servers/require-may-post.ts';
import { readServerState, type ServerState } from '#src/discord/servers/server-state.ts';
import { escaped } from '#src/discord/text/untrusted-text.ts';
import { followedText } from './followed-text.ts';

/** The fields of an entry that name something in a server. A file can have values of any kind. */
interface ServerFields {
  readonly channel?: Json | undefined;
  readonly ping?: Json | undefined;
  readonly liveRole?: Json | undefined;
}

/** Throws for an entry with a field that its rule cannot use, or as `assertOwn` does. The error names the entry. */
export async function assertOwnEntries(
  entries: Readonly<Record<string, JsonObject>>,
  interaction: Pick<BaseInteraction, 'client'>,
  caller: Caller,
): Promise<void> {
  const check = ownCheck(interaction, caller);
  for (const [id, fields] of Object.entries(entries)) {
    try {
      await check(fields);
      const [mistake] = followedMistakes(fields);
      if (mistake) throw new UserError(followedText(mistake, caller.texts));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const message = `**${escaped(id, 100)}**: ${error.message}`;
      throw error instanceof NotAllowed ? new NotAllowed(message) : new UserError(message);
    }
  }
}

/**
 * Throws if an entry names a channel or a role of another server, a channel where the caller may not post, a role that the caller may not ping,
 * or what only `/setup` allows: to ping everyone, and a role that members get.
 */
export async function assertOwn(fields: ServerFields, interaction: Pick<BaseInteraction, 'client'>, caller: Caller): Promise<void> {
  await ownCheck(interaction, caller)(fields);
}

function ownCheck({ client }: Pick<BaseInteraction, 'client'>, caller: Caller): (fields: ServerFields) => Promise<void> {
  const { following, setup } = caller.texts;
  const server = requireServer(caller);
  let reading: Promise<ServerState> | undefined;
  const read = (): Promise<ServerState> => (reading ??= readServerState(client.rest, { server, bot: client.user.id }));
  return async ({ channel, ping, liveRole }) => {
    if (isSet(channel)) await requireMayPost(typeof channel === 'string' ? channel : '', await read(), caller);
    if (isSet(liveRole)) throw new UserError(following.liveRole);
    if (!isSet(ping)) return;
    // The role of all members has the id of the server.
    if (ping === 'everyone' || ping === 'here' || ping === server) throw new UserError(following.everyone);
    const state = await read();
    if (typeof ping !== 'string' || !state.roles.some(({ id }) => id === ping)) throw new UserError(setup.foreignRole);
    requireMayPing(ping, state, caller);
  };
}

/** Null removes a field. */
function isSet(value: Json | undefined): value is Exclude<Json, null> {
  return value !== undefined && value !== null;
}
