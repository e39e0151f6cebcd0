import { z } from 'zod';
import type { Journal } from '../../journal.ts';
import type { World } from '../../world/world.ts';
import type { Channel } from './channel.ts';
import { Channels } from './channels.ts';
import { Members, type Member } from './members.ts';
import { includes, permissionsIn, type Permission } from './permissions.ts';
import type { GuildPlan } from './plan.ts';
import { EVERYONE_PERMISSIONS, rolesOf, type Role } from './roles.ts';

const COLLECTION = 'discord.guild';
const MIB = 1024 * 1024;
const MIB_OF_TIERS: readonly number[] = [10, 10, 50, 100];

/** An invitation is valid until the bot is removed. */
const Stored = z.object({ bot: z.enum(['there', 'invited', 'gone']), joinedMs: z.number().optional() });

/** A guild with its members, channels, roles and permissions. */
export class Guild {
  readonly id: string;
  readonly name: string;
  /** The language of the guild. The owner sets it. */
  preferredLocale: string;
  /** The tier of the boosts, from 0 to 3. Members boost the guild. */
  premiumTier = 0;
  /** The channel where Discord greets members; absent: none. */
  systemChannelId: string | undefined;
  #joinedMs: number | undefined;
  readonly botRoleId: string;
  #roles: readonly Role[];
  readonly channels: Channels;
  readonly members: Members;
  readonly #journal: Journal;
  #bot: z.output<typeof Stored>['bot'];

  constructor({ journal, world, plan }: { readonly journal: Journal; readonly world: World; readonly plan: GuildPlan }) {
    this.id = plan.id;
    this.name = plan.name;
    this.preferredLocale = plan.locale;
    this.botRoleId = plan.roleIds.bot;
    this.#roles = rolesOf(plan);
    this.channels = new Channels(journal, plan);
    this.members = new Members({ journal, world, plan });
    this.#journal = journal;
    const stored = journal.get(COLLECTION, plan.id);
    const { bot, joinedMs } = stored === undefined ? { bot: plan.bot, joinedMs: plan.joinedMs } : Stored.parse(stored);
    this.#bot = bot;
    this.#joinedMs = joinedMs;
    this.systemChannelId = this.channels.findNamed(plan.systemChannel ?? 'general')?.id;
  }

  /** The most bytes of a file. */
  get fileBytes(): number {
    return (MIB_OF_TIERS[this.premiumTier] ?? 10) * MIB;
  }

  /** The most bytes of the files of a message. */
  get requestBytes(): number {
    return Math.max(25 * MIB, this.fileBytes);
  }

  get roles(): readonly Role[] {
    return this.#roles;
  }

  /** Sets the permissions of a role until the sandbox stops. */
  setPermissionsOf({ id }: Role, permissions: bigint): Role | undefined {
    this.#roles = this.#roles.map((role) => (role.id === id ? { ...role, permissions } : role));
    return this.#roles.find((role) => role.id === id);
  }

  /** Adds a role without permissions above that of all members, until the sandbox stops. */
  addRole(id: string, name: string): Role {
    const role: Role = { id, name, permissions: 0n, position: 1, color: 0, mentionable: false };
    this.#roles = [...this.#roles, role];
    return role;
  }

  /** Whether the bot is a member. */
  get hasBot(): boolean {
    return this.#bot === 'there';
  }

  /** Whether the first request of the bot adds it. */
  get invitesBot(): boolean {
    return this.#bot === 'invited';
  }

  /** When the bot joined. */
  get joinedAt(): Date {
    return this.#joinedMs === undefined ? this.members.bot.joinedAt : new Date(this.#joinedMs);
  }

  addBot(nowMs: number): void {
    this.#joinedMs = nowMs;
    this.#setBot('there');
  }

  removeBot(): void {
    this.#setBot('gone');
  }

  /** The permissions of a member in a channel. A thread has the permissions of its parent. */
  permissions(member: Member, channel: Channel): bigint {
    const parent = channel.thread ? this.channels.find(channel.thread.parentId) : channel;
    const roles = this.roles.filter(({ id }) => member.roleIds.includes(id));
    const { userId, owner } = member;
    return permissionsIn({ guildId: this.id, userId, owner, roles, everyone: EVERYONE_PERMISSIONS }, parent?.overwrites ?? []);
  }

  may(member: Member, permission: Permission, channel: Channel): boolean {
    return includes(this.permissions(member, channel), permission);
  }

  /** Whether the bot is a member and has the permission. */
  botMay(permission: Permission, channel: Channel): boolean {
    return this.hasBot && this.may(this.members.bot, permission, channel);
  }

  #setBot(bot: z.output<typeof Stored>['bot']): void {
    this.#bot = bot;
    this.#journal.put(COLLECTION, this.id, { bot, ...(this.#joinedMs !== undefined && { joinedMs: this.#joinedMs }) });
  }
}
