import { GuildMember, PermissionsBitField, type Interaction } from 'discord.js';
import type { Ability, DiscordServer, DiscordSettings } from '#src/config/discord-settings.ts';
import { knownBy, may, type Member } from './access/abilities.ts';
import { wordsFor } from './language/languages.ts';
import type { Words } from './language/words.ts';

/** Who asked for something, where, and how to speak to them. */
export interface Asker {
  /** The person's id. */
  readonly id: string;
  /** Their name, as the log tells of them. */
  readonly name: string;
  /** The server in which they asked; absent: a direct message, or a server that is none of the bot's. */
  readonly server: DiscordServer | undefined;
  /** What is said to them, in their language. */
  readonly words: Words;
  /** What is said to all who read the channel, in the language of the server. */
  readonly publicWords: Words;
  /** Their language, as Discord names it. */
  readonly locale: string;
  /** The IANA zone in which times are typed and shown. */
  readonly zone: string;
  may(ability: Ability): boolean;
  /** Aborted when the bot goes offline. */
  readonly signal: AbortSignal;
}

export interface AskerOptions {
  /** None: it is at home everywhere. */
  readonly servers: readonly DiscordServer[];
  readonly settings: DiscordSettings;
  readonly signal: AbortSignal;
}

/** Who is behind an interaction. Whether they may is read from the interaction alone, which only Discord can make; where the bot is not at home, nobody may anything. */
export function askerOf(interaction: Interaction, { servers, settings, signal }: AskerOptions): Asker {
  const server = serverOf(interaction.guildId, servers, settings.zone);
  const isAtHome = servers.length === 0 || server !== undefined;
  const member = server && memberOf(interaction);
  return {
    id: interaction.user.id,
    name: interaction.user.username,
    server,
    words: wordsFor(interaction.locale),
    publicWords: wordsFor(interaction.guildLocale ?? interaction.locale),
    locale: interaction.locale,
    zone: server?.zone ?? settings.zone,
    may: (ability) => isAtHome && may(ability, member, settings),
    signal,
  };
}

/** The server with this id, if the bot is at home there; where it is at home everywhere, each is in `zone`. */
export function serverOf(id: string | null, servers: readonly DiscordServer[], zone = 'UTC'): DiscordServer | undefined {
  if (servers.length > 0 || id === null) return servers.find((server) => server.id === id);
  return { account: 'discord', id, zone };
}

function memberOf({ member, memberPermissions, guild }: Interaction): Member | undefined {
  if (!member || !memberPermissions) return undefined;
  const ids = member instanceof GuildMember ? [...member.roles.cache.keys()] : member.roles;
  const names = ids.flatMap((id) => guild?.roles.cache.get(id)?.name ?? []);
  return { permissions: new PermissionsBitField(memberPermissions), roles: knownBy(ids, names) };
}
