import type { Journal } from '../../journal.ts';
import type { World } from '../../world/world.ts';
import { Channels, type Channel } from './channels.ts';
import { Members, type Member } from './members.ts';
import { includes, permissionsIn, type Permission } from './permissions.ts';
import { EVERYONE_PERMISSIONS, ROLES } from './roles.ts';

/** The one guild of the sandbox: who is in it, where they talk, and who may do what. */
export class Guild {
  readonly name = 'Fanfare Sandbox';
  /** The language of the guild, which its owner sets. */
  preferredLocale = 'en-US';
  readonly roles = ROLES;
  readonly channels: Channels;
  readonly members: Members;

  constructor({ journal, world }: { readonly journal: Journal; readonly world: World }) {
    this.channels = new Channels(journal);
    this.members = new Members({ journal, world });
  }

  /** Those of a member in a channel; a thread has its parent's. */
  permissions(member: Member, channel: Channel): bigint {
    const place = channel.thread ? this.channels.find(channel.thread.parentId) : channel;
    const roles = ROLES.filter(({ id }) => member.roleIds.includes(id));
    return permissionsIn({ userId: member.userId, owner: member.owner, roles, everyone: EVERYONE_PERMISSIONS }, place?.overwrites ?? []);
  }

  may(member: Member, permission: Permission, channel: Channel): boolean {
    return includes(this.permissions(member, channel), permission);
  }
}
