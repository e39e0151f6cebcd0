import { APPLICATION_ID } from '../identity.ts';
import { ALL_PERMISSIONS, PERMISSIONS, toBits } from './permissions.ts';
import type { GuildPlan } from './plan.ts';

/** A role of a guild. */
export interface Role {
  readonly id: string;
  readonly name: string;
  readonly permissions: bigint;
  readonly position: number;
  readonly color: number;
  /** Every member can ping the role. */
  readonly mentionable: boolean;
  /** The bot of the role. */
  readonly managedBy?: string | undefined;
}

const everyone = toBits([
  'AddReactions',
  'ViewChannel',
  'SendMessages',
  'EmbedLinks',
  'AttachFiles',
  'ReadMessageHistory',
  'UseApplicationCommands',
  'SendMessagesInThreads',
  'Connect',
]);

/** The roles, lowest first. The bot may ping everyone, so that tests notice unwanted mentions. */
export function rolesOf({ id, roleIds }: GuildPlan): readonly Role[] {
  return [
    { id, name: '@everyone', permissions: everyone, position: 0, color: 0, mentionable: false },
    { id: roleIds.live, name: 'Live', permissions: 0n, position: 1, color: 0xe9_1e_63, mentionable: true },
    {
      id: roleIds.bot,
      name: 'Fanfare bot',
      permissions:
        everyone |
        toBits([
          'MentionEveryone',
          'CreatePublicThreads',
          'UseExternalEmojis',
          'ManageChannels',
          'ManageRoles',
          'ManageWebhooks',
          'CreateEvents',
        ]),
      position: 2,
      color: 0x91_46_ff,
      mentionable: false,
      managedBy: APPLICATION_ID,
    },
    {
      id: roleIds.moderator,
      name: 'Moderator',
      permissions: ALL_PERMISSIONS & ~PERMISSIONS.Administrator,
      position: 3,
      color: 0x2e_cc_71,
      mentionable: true,
    },
  ];
}

export const EVERYONE_PERMISSIONS = everyone;
