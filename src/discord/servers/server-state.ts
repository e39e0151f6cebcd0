import {
  type APIChannel,
  type APIGuild,
  type APIGuildChannel,
  type APIGuildMember,
  type APIOverwrite,
  type APIRole,
  ChannelType,
  DiscordAPIError,
  OverwriteType,
  PermissionFlagsBits,
  type REST,
  Routes,
} from 'discord.js';
import { memberRights, type RoleHolder } from './member-rights.ts';

/** What announcements need in their channel. */
const NEEDED = ['ViewChannel', 'SendMessages', 'EmbedLinks', 'AttachFiles', 'ReadMessageHistory'] as const;
export type Needed = (typeof NEEDED)[number];

/** The kinds of channels that contain posts, media or channels, but no messages. */
const WITHOUT_MESSAGES: ReadonlySet<ChannelType> = new Set([
  ChannelType.GuildCategory,
  ChannelType.GuildDirectory,
  ChannelType.GuildForum,
  ChannelType.GuildMedia,
]);

/** A server and the bot in it, as Discord has them now. Caches may be out of date while people change permissions. */
export interface ServerState {
  readonly id: string;
  readonly name: string;
  /** The id of the owner. */
  readonly owner: string;
  /** The number of members, if Discord tells it. */
  readonly members: number | undefined;
  readonly roles: readonly APIRole[];
  /** The highest position of the bot's roles. */
  readonly highest: number;
  /** The permissions of the bot in the whole server. */
  readonly permissions: bigint;
  /** The permissions in a channel or public thread of a member, by default of the bot; undefined: it is not in the server. */
  inChannel(id: string, member?: RoleHolder): Promise<bigint | undefined>;
  /** Whether a channel cannot have messages, for example because it is a forum. */
  isWithoutMessages(id: string): Promise<boolean>;
}

/** Those of some roles that the server has. Discord refuses a menu that shows a deleted one. */
export function existingRoles(ids: readonly string[], { roles }: Pick<ServerState, 'roles'>): readonly string[] {
  return ids.filter((id) => roles.some((role) => role.id === id));
}

export async function readServerState(
  rest: REST,
  { server, bot }: { readonly server: string; readonly bot: string },
): Promise<ServerState> {
  const query = new URLSearchParams({ with_counts: 'true' });
  const [guild, member] = await Promise.all([
    rest.get(Routes.guild(server), { query }) as Promise<APIGuild>, // as Discord documents it
    rest.get(Routes.guildMember(server, bot)) as Promise<APIGuildMember>, // as Discord documents it
  ]);
  const found = { id: server, owner: guild.owner_id, roles: guild.roles };
  const self = { id: bot, roleIds: member.roles };
  const { permissions, highest } = memberRights(found, self);
  // Only this list proves that a channel belongs to the server: Discord refuses hidden channels of all servers alike.
  let channels: Promise<readonly APIGuildChannel[]> | undefined;

  async function findChannel(id: string): Promise<APIGuildChannel | undefined> {
    channels ??= rest.get(Routes.guildChannels(server)) as Promise<readonly APIGuildChannel[]>; // as Discord documents it
    return (await channels).find((one) => one.id === id);
  }

  /** The channel of a public thread, which no list of channels has. */
  async function findParent(id: string): Promise<APIGuildChannel | undefined> {
    const get = rest.get(Routes.channel(id)) as Promise<APIChannel>; // as Discord documents it
    const thread = await get.catch((error: unknown) => {
      if (error instanceof DiscordAPIError) return undefined;
      throw error;
    });
    if (thread?.type !== ChannelType.PublicThread && thread?.type !== ChannelType.AnnouncementThread) return undefined;
    return thread.guild_id === server && typeof thread.parent_id === 'string' ? findChannel(thread.parent_id) : undefined;
  }

  return {
    ...found,
    name: guild.name,
    members: guild.approximate_member_count,
    highest,
    permissions,

    async inChannel(id, of = self) {
      const channel = await findChannel(id);
      const place = channel ?? (await findParent(id));
      if (!place) return undefined;
      const rights = memberRights(found, of);
      if (rights.permissions === ~0n) return ~0n;
      const bits = overwritten(rights.permissions, place.permission_overwrites ?? [], server, of);
      return channel ? bits : inThread(bits);
    },

    async isWithoutMessages(id) {
      const channel = await findChannel(id);
      return channel !== undefined && WITHOUT_MESSAGES.has(channel.type);
    },
  };
}

/** The permissions in a thread of a channel with these permissions. */
function inThread(bits: bigint): bigint {
  const { SendMessages, SendMessagesInThreads } = PermissionFlagsBits;
  return (bits & SendMessagesInThreads) === 0n ? bits & ~SendMessages : bits | SendMessages;
}

/** Discord applies the overwrite of everyone, then those of the roles together, then that of the member. */
function overwritten(granted: bigint, overwrites: readonly APIOverwrite[], server: string, { id: user, roleIds }: RoleHolder): bigint {
  const layers = [
    overwrites.filter(({ id }) => id === server),
    overwrites.filter(({ id, type }) => type === OverwriteType.Role && roleIds.includes(id)),
    overwrites.filter(({ id, type }) => type === OverwriteType.Member && id === user),
  ];
  const bitsOf = (layer: readonly APIOverwrite[], field: 'allow' | 'deny'): bigint =>
    layer.reduce((all, one) => all | BigInt(one[field]), 0n);
  return layers.reduce((bits, layer) => (bits & ~bitsOf(layer, 'deny')) | bitsOf(layer, 'allow'), granted);
}

/** The permissions that the bot lacks for announcements. Without View Channel, it has no others. */
export function lackingOf(bits: bigint): readonly Needed[] {
  const lacking = NEEDED.filter((name) => (bits & PermissionFlagsBits[name]) === 0n);
  return lacking.includes('ViewChannel') ? lacking.filter((name) => name === 'ViewChannel' || name === 'SendMessages') : lacking;
}

/** Whether the bot has a permission. */
export function includesPermission(bits: bigint, name: keyof typeof PermissionFlagsBits): boolean {
  return (bits & PermissionFlagsBits[name]) !== 0n;
}
