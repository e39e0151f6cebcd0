import { GuildMember, type Interaction, PermissionFlagsBits, PermissionsBitField } from 'discord.js';
import type { Ability, DiscordServer, DiscordSettings } from '#src/config/discord-settings.ts';
import { textsFor } from './language/languages.ts';
import type { Texts } from './language/texts.ts';

/** The required Discord permission if the configuration names no roles; undefined: none. */
const DEFAULT_PERMISSIONS: Readonly<Record<Ability, bigint | undefined>> = {
  look: undefined,
  ask: undefined,
  post: PermissionFlagsBits.ManageGuild,
  operate: PermissionFlagsBits.ManageGuild,
};

const EVERYONE = '@everyone';
/** Only administrators have all permissions. */
const ADMINISTRATORS_ONLY = 0n;

const ID_PATTERN = /^\d{15,20}$/u;

/** The permissions of a user in a server. */
export interface Member {
  readonly permissions: { has(permission: bigint): boolean };
  /** The ids and names of the roles. */
  readonly roles: ReadonlySet<string>;
}

/** The ids and names of roles for the configuration, without names that look like ids. */
export function roleKeys(ids: readonly string[], names: readonly string[]): ReadonlySet<string> {
  return new Set([...ids, ...names.filter((name) => !ID_PATTERN.test(name))]);
}

/** Whether a user has an ability. Outside of a server, users have no roles and no permissions. */
export function may(ability: Ability, member: Member | undefined, { roles }: Pick<DiscordSettings, 'roles'>): boolean {
  const named = roles[ability];
  if (member?.permissions.has(PermissionFlagsBits.Administrator)) return true;
  if (named) return member !== undefined && named.some((role) => role === EVERYONE || member.roles.has(role));
  const needed = DEFAULT_PERMISSIONS[ability];
  return needed === undefined || (member?.permissions.has(needed) ?? false);
}

/** Whether a user has one of these roles, by name or id. Administrators have all roles. Outside of a server, users have no roles. */
export function hasRole(roles: readonly string[], member: Member | undefined): boolean {
  if (!member) return false;
  if (member.permissions.has(PermissionFlagsBits.Administrator)) return true;
  return roles.some((role) => role === EVERYONE || member.roles.has(role) || member.roles.has(role.replace(/^@/, '')));
}

/** The permission with which Discord shows a command. Fanfare checks configured roles when a user runs the command. */
export function defaultPermissions(ability: Ability, { roles }: Pick<DiscordSettings, 'roles'>): bigint | undefined {
  const named = roles[ability];
  if (named?.length === 0) return ADMINISTRATORS_ONLY;
  return named ? undefined : DEFAULT_PERMISSIONS[ability];
}

/** The user of an interaction, with the server, the language and the permissions. */
export interface Caller {
  readonly id: string;
  /** The username, for the log. */
  readonly name: string;
  /** The server; undefined in direct messages and in servers that are not configured. */
  readonly server: DiscordServer | undefined;
  /** The texts in the language of the user. */
  readonly texts: Texts;
  /** The texts in the language of the server, for messages that everyone sees. */
  readonly publicTexts: Texts;
  /** The locale of the user, for example `de` or `en-US`. */
  readonly locale: string;
  /** The locale of the server, for messages that everyone sees. */
  readonly publicLocale: string;
  /** The IANA zone of typed times. */
  readonly zone: string;
  may(ability: Ability): boolean;
  /** Whether the user has one of these roles, by name or id. */
  hasRole(roles: readonly string[]): boolean;
  /** Aborted when the bot goes offline. */
  readonly signal: AbortSignal;
}

/** The language and the number format of a reader. */
export type Reader = Pick<Caller, 'texts' | 'locale'>;

export interface CallerOptions {
  /** The configured servers; none: all servers. */
  readonly servers: readonly DiscordServer[];
  readonly settings: DiscordSettings;
  readonly signal: AbortSignal;
}

/** The user of an interaction. The permissions come from Discord. In servers that are not configured, users have no abilities. */
export function callerOf(interaction: Interaction, { servers, settings, signal }: CallerOptions): Caller {
  const server = serverOf(interaction.guildId, servers, settings.zone);
  const isConfigured = servers.length === 0 || server !== undefined;
  const member = server && memberOf(interaction);
  return {
    id: interaction.user.id,
    name: interaction.user.username,
    server,
    texts: textsFor(interaction.locale),
    publicTexts: textsFor(interaction.guildLocale ?? interaction.locale),
    locale: interaction.locale,
    publicLocale: interaction.guildLocale ?? interaction.locale,
    zone: server?.zone ?? settings.zone,
    may: (ability) => isConfigured && may(ability, member, settings),
    hasRole: (roles) => isConfigured && hasRole(roles, member),
    signal,
  };
}

/** The configured server with an id. Without configured servers, every server counts, in the zone `zone`. */
export function serverOf(id: string | null, servers: readonly DiscordServer[], zone = 'UTC'): DiscordServer | undefined {
  if (servers.length > 0 || id === null) return servers.find((server) => server.id === id);
  return { account: 'discord', id, zone };
}

function memberOf({ member, memberPermissions, guild }: Interaction): Member | undefined {
  if (!member || !memberPermissions) return undefined;
  const ids = member instanceof GuildMember ? [...member.roles.cache.keys()] : member.roles;
  const names = ids.flatMap((id) => guild?.roles.cache.get(id)?.name ?? []);
  return { permissions: new PermissionsBitField(memberPermissions), roles: roleKeys(ids, names) };
}

/** The reader of a message that everyone in the channel sees. */
export function publicReader({ publicTexts: texts, publicLocale: locale }: Caller): Reader {
  return { texts, locale };
}
