import { GuildMember, type Interaction, PermissionFlagsBits, PermissionsBitField } from 'discord.js';
import type { ActorScope } from '#src/admin/actions/actor.ts';
import { SERVER_ABILITIES, type ServerAbility, type ServerSettings } from '#src/admin/servers/server-store.ts';
import { bareRole } from '#src/clients/operation/text/bare-role.ts';
import type { Ability, DiscordServer, DiscordSettings } from '#src/config/discord-settings.ts';
import { UserError } from '#src/errors.ts';
import { accountForAllServers } from '#src/rules/accounts.ts';
import { textsFor } from '#src/discord/language/languages.ts';
import type { Texts } from '#src/discord/language/texts.ts';

/** The required Discord permission if the configuration names no roles; undefined: none. */
const DEFAULT_PERMISSIONS: Readonly<Record<Ability, bigint | undefined>> = {
  look: undefined,
  ask: undefined,
  post: PermissionFlagsBits.ManageGuild,
  operate: PermissionFlagsBits.ManageGuild,
  setup: PermissionFlagsBits.ManageGuild,
  follow: PermissionFlagsBits.ManageGuild,
  answer: PermissionFlagsBits.ManageGuild,
};

/** The account whose server is the home of the installation. */
const HOME = 'discord';
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

/** The permissions of Discord that no overwrite of a channel can give. */
type DiscordPermission = 'ManageGuild';

/** The ids and names of roles for the configuration, without names that look like ids. */
export function roleKeys(ids: readonly string[], names: readonly string[]): ReadonlySet<string> {
  return new Set([...ids, ...names.filter((name) => !ID_PATTERN.test(name))]);
}

interface MayOptions {
  readonly settings: Pick<DiscordSettings, 'roles'>;
  /** What the administrators of the server chose in `/setup`. */
  readonly stored?: Pick<ServerSettings, 'roles'> | undefined;
}

/** Whether a user has an ability. Outside of a server, users have no roles and no permissions. */
export function may(ability: Ability, member: Member | undefined, { settings: { roles }, stored }: MayOptions): boolean {
  const named = ability === 'answer' ? roles.operate : roles[ability];
  if (member?.permissions.has(PermissionFlagsBits.Administrator)) return true;
  if (member && isServerAbility(ability) && stored?.roles[ability]?.some((role) => member.roles.has(role))) return true;
  if (named) return member !== undefined && isOneOf(named, member);
  const needed = DEFAULT_PERMISSIONS[ability];
  return needed === undefined || (member?.permissions.has(needed) ?? false);
}

function isServerAbility(ability: Ability): ability is ServerAbility {
  return SERVER_ABILITIES.some((each) => each === ability);
}

/** Whether a user has one of these roles, by name or id. Administrators have all roles. Outside of a server, users have no roles. */
export function hasRole(roles: readonly string[], member: Member | undefined): boolean {
  if (!member) return false;
  if (member.permissions.has(PermissionFlagsBits.Administrator)) return true;
  return isOneOf(roles, member);
}

function isOneOf(roles: readonly string[], { roles: own }: Member): boolean {
  return roles.some((role) => role === EVERYONE || own.has(role) || own.has(bareRole(role)));
}

/** Whether Discord gives a user a permission. Administrators have all permissions. */
export function hasPermission(permission: DiscordPermission, member: Member | undefined): boolean {
  return member?.permissions.has(PermissionFlagsBits[permission]) ?? false;
}

/** The permission with which Discord shows a command. Fanfare checks configured roles when a user runs the command. */
export function defaultPermissions(ability: Ability, { roles }: Pick<DiscordSettings, 'roles'>): bigint | undefined {
  // Roles that `/setup` allows must see the command, and Discord does not know them.
  if (ability === 'follow') return undefined;
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
  /** Whether the user writes to the bot in a direct message, where users have no permissions. */
  readonly isDirect?: boolean | undefined;
  /** What its administrators chose; absent without a server, or if it was never stored. */
  readonly stored?: ServerSettings | undefined;
  /** What the user may operate; undefined: the whole installation. */
  readonly scope: ActorScope | undefined;
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
  /** The ids of the roles of the user in the server; none outside of a server. */
  readonly roleIds: readonly string[];
  /** Whether Discord gives the user a permission in the server. */
  hasPermission(permission: DiscordPermission): boolean;
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

/** What the administrators of a server chose; undefined if nothing is stored or the store does not answer. */
export type FindStoredServer = (id: string | null) => Promise<ServerSettings | undefined>;

export interface CallerOfOptions extends CallerOptions {
  /** What the administrators of the server chose. */
  readonly stored?: ServerSettings | undefined;
}

/** The user of an interaction. The permissions come from Discord. In servers that are not configured, users have no abilities. */
export function callerOf(interaction: Interaction, { servers, settings, stored, signal }: CallerOfOptions): Caller {
  const server = serverOf(interaction.guildId, servers, settings);
  const isConfigured = servers.length === 0 || settings.servers === 'any' || server !== undefined;
  const member = server && memberOf(interaction);
  const publicLocale = stored?.language ?? interaction.guildLocale ?? interaction.locale;
  return {
    id: interaction.user.id,
    name: interaction.user.username,
    server,
    isDirect: interaction.guildId === null,
    stored,
    scope: server && scopeIn(server, servers, settings),
    texts: textsFor(interaction.locale),
    publicTexts: textsFor(publicLocale),
    locale: interaction.locale,
    publicLocale,
    zone: stored?.zone ?? server?.zone ?? settings.zone,
    roleIds: server ? roleIdsOf(interaction) : [],
    may: (ability) => isConfigured && may(ability, member, { settings, stored }),
    hasPermission: (permission) => hasPermission(permission, member),
    hasRole: (roles) => hasRole(roles, member),
    signal,
  };
}

/** The server with an id, if the bot serves it: a server with an account, or any server. */
export function serverOf(
  id: string | null,
  servers: readonly DiscordServer[],
  { servers: accepted, zone }: Pick<DiscordSettings, 'servers' | 'zone'>,
): DiscordServer | undefined {
  const listed = servers.find((server) => server.id === id);
  if (listed || id === null || (servers.length > 0 && accepted === 'listed')) return listed;
  return { account: accountForAllServers(servers.map(({ account }) => account)), id, zone };
}

/** The scope of the members of a server: only those of the home server operate the whole installation. */
export function scopeIn(
  { id }: Pick<DiscordServer, 'id'>,
  servers: readonly DiscordServer[],
  { servers: served }: Pick<DiscordSettings, 'servers'>,
): ActorScope | undefined {
  const home = servers.find((one) => one.account === HOME) ?? (servers.length === 1 ? servers[0] : undefined);
  if (home?.id === id || (servers.length === 0 && served === 'listed')) return undefined;
  const own = servers.find((one) => one.id === id && one.account !== HOME);
  return { server: id, ...(own && { accounts: [own.account] }) };
}

function roleIdsOf({ member }: Pick<Interaction, 'member'>): readonly string[] {
  return member instanceof GuildMember ? [...member.roles.cache.keys()] : (member?.roles ?? []);
}

function memberOf({ member, memberPermissions, guild }: Interaction): Member | undefined {
  if (!member || !memberPermissions) return undefined;
  const ids = roleIdsOf({ member });
  const names = ids.flatMap((id) => guild?.roles.cache.get(id)?.name ?? []);
  return { permissions: new PermissionsBitField(memberPermissions), roles: roleKeys(ids, names) };
}

/** The server of the caller. Throws outside of the servers that the bot serves. */
export function requireServer({ server, texts }: Pick<Caller, 'server' | 'texts'>): string {
  if (!server) throw new UserError(texts.setup.noServer);
  return server.id;
}

/** The reader of a message that everyone in the channel sees. */
export function publicReader({ publicTexts: texts, publicLocale: locale }: Caller): Reader {
  return { texts, locale };
}
