import { z } from 'zod';
import type { Journal } from '../../journal.ts';
import type { World } from '../../world/world.ts';
import { type Channel } from './channel.ts';
import { Channels } from './channels.ts';
import { Members, type Member } from './members.ts';
import { includes, permissionsIn, type Permission } from './permissions.ts';
import type { GuildPlan } from './plan.ts';
import { EVERYONE_PERMISSIONS, rolesOf, type Role } from './roles.ts';

const COLLECTION = 'discord.guild';

/** An invitation holds until the bot is thrown out. */
const Stored = z.object({ bot: z.enum(['there', 'invited', 'gone']) });

export interface GuildOptions {
  readonly journal: Journal;
  readonly world: World;
  readonly plan: GuildPlan;
}

/** A guild: who is in it, where they talk, and who may do what. */
export class Guild {
  readonly id: string;
  readonly name: string;
  /** The language of the guild, which its owner sets. */
  preferredLocale: string;
  readonly botRoleId: string;
  readonly roles: readonly Role[];
  readonly channels: Channels;
  readonly members: Members;
  readonly #journal: Journal;
  #bot: z.output<typeof Stored>['bot'];

  constructor({ journal, world, plan }: GuildOptions) {
    this.id = plan.id;
    this.name = plan.name;
    this.preferredLocale = plan.locale;
    this.botRoleId = plan.roleIds.bot;
    this.roles = rolesOf(plan);
    this.channels = new Channels(journal, plan);
    this.members = new Members({ journal, world, plan });
    this.#journal = journal;
    const stored = journal.get(COLLECTION, plan.id);
    this.#bot = stored === undefined ? plan.bot : Stored.parse(stored).bot;
  }

  /** Whether the bot is in it; nobody else comes or goes. */
  get hasBot(): boolean {
    return this.#bot === 'there';
  }

  /** Whether the bot may come in by itself. */
  get invitesBot(): boolean {
    return this.#bot === 'invited';
  }

  takeBot(): void {
    this.#putBot('there');
  }

  throwBotOut(): void {
    this.#putBot('gone');
  }

  /** Those of a member in a channel; a thread has its parent's. */
  permissions(member: Member, channel: Channel): bigint {
    const place = channel.thread ? this.channels.find(channel.thread.parentId) : channel;
    const roles = this.roles.filter(({ id }) => member.roleIds.includes(id));
    const { userId, owner } = member;
    return permissionsIn({ guildId: this.id, userId, owner, roles, everyone: EVERYONE_PERMISSIONS }, place?.overwrites ?? []);
  }

  may(member: Member, permission: Permission, channel: Channel): boolean {
    return includes(this.permissions(member, channel), permission);
  }

  /** Whether the bot is there and may. */
  lets(permission: Permission, channel: Channel): boolean {
    return this.hasBot && this.may(this.members.bot, permission, channel);
  }

  #putBot(bot: z.output<typeof Stored>['bot']): void {
    this.#bot = bot;
    this.#journal.put(COLLECTION, this.id, { bot });
  }
}
