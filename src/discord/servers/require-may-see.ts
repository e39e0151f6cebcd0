import { ChannelType, type CommandInteractionOption } from 'discord.js';
import type { Caller } from '#src/discord/caller.ts';
import { NotAllowed } from '#src/discord/explain-error.ts';
import { includesPermission, type ServerState } from './server-state.ts';

type ChosenChannel = NonNullable<CommandInteractionOption['channel']>;

/** Throws unless a channel is in the server, and Discord lets the caller see it and its earlier messages. Discord takes the id of a hidden channel in an option. */
export async function requireMaySee(
  channel: ChosenChannel,
  state: Pick<ServerState, 'inChannel'>,
  caller: Pick<Caller, 'id' | 'roleIds' | 'texts'>,
): Promise<void> {
  const of = placeOf(channel);
  const bits = of === undefined ? undefined : await state.inChannel(of, caller);
  const canSee = bits !== undefined && (['ViewChannel', 'ReadMessageHistory'] as const).every((name) => includesPermission(bits, name));
  if (!canSee) throw new NotAllowed(caller.texts.ruleCommands.hiddenChannel);
}

/** The channel whose permissions count, for a thread its parent; undefined: the permissions do not say who sees it. */
function placeOf(channel: ChosenChannel): string | undefined {
  switch (channel.type) {
    case ChannelType.PrivateThread:
      return undefined;
    case ChannelType.PublicThread:
    case ChannelType.AnnouncementThread:
      return ('parentId' in channel ? channel.parentId : channel.parent_id) ?? undefined;
    default:
      return channel.id;
  }
}
