import type { JsonObject } from '#src/operation/json.ts';
import { COMMAND_TYPES } from '../commands/form.ts';
import type { Message } from '../messages/message.ts';
import { toMessage } from '../messages/wire.ts';
import { OrderError } from '../order-error.ts';
import type { InGuild } from '../parts.ts';
import { isFor, type Typed } from './typed-command.ts';

/** What a person chooses in the menu of a message. */
export interface Chosen extends Pick<Typed, 'member' | 'channel' | 'locale' | 'forged'> {
  readonly message: Message;
  /** The entry, by its name. */
  readonly menu: string;
}

/** The data of the interaction that choosing makes; throws an {@link OrderError} where Discord would not let it be sent. */
export function toMenuData(discord: InGuild, { member, channel, locale, forged, message, menu }: Chosen): JsonObject {
  const command = discord.commands.findNamed(discord.guild.id, menu, locale, COMMAND_TYPES.message);
  if (!command) throw new OrderError(`there is no ${menu} in the menu of a message`);
  if (!forged && !isFor(command, member, discord.guild.permissions(member, channel)))
    throw new OrderError(`${command.form.name} is not for ${member.username}`);
  return {
    id: command.id,
    name: command.form.name,
    type: command.form.type,
    guild_id: command.guildId,
    target_id: message.id,
    resolved: { messages: { [message.id]: toMessage(discord, message) } },
  };
}
