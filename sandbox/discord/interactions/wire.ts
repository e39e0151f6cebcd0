import type { JsonObject } from '#src/clients/operation/json.ts';
import { APPLICATION_ID } from '../identity.ts';
import { toChannel, toMember } from '../guild/wire.ts';
import { toMessage } from '../messages/wire.ts';
import type { Discord } from '../parts.ts';
import type { Interaction } from './interaction.ts';

const IN_GUILD = 0;

/** An interaction as the bot receives it. */
export function toInteraction(discord: Discord, { id, token, options }: Interaction, data: JsonObject): JsonObject {
  const { guilds, messages } = discord;
  const { type, member, channel, locale, messageId } = options;
  const guild = guilds.of(channel.id);
  const message = messageId === undefined ? undefined : messages.find(messageId);
  const permissions = String(guild.permissions(member, channel));
  return {
    id,
    application_id: APPLICATION_ID,
    type,
    token,
    version: 1,
    data,
    guild_id: guild.id,
    guild: { id: guild.id, locale: guild.preferredLocale, features: [] },
    channel_id: channel.id,
    channel: { ...toChannel(guild, channel, messages.lastId(channel.id)), permissions },
    member: { ...toMember(member), permissions },
    message: message && toMessage(discord, message),
    app_permissions: String(guild.permissions(guild.members.bot, channel)),
    locale,
    guild_locale: guild.preferredLocale,
    entitlements: [],
    authorizing_integration_owners: { '0': guild.id },
    context: IN_GUILD,
    attachment_size_limit: guild.fileBytes,
  };
}
