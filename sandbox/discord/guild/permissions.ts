/** The permissions of the sandbox with Discord's bits. */
export const PERMISSIONS = {
  Administrator: 1n << 3n,
  ManageChannels: 1n << 4n,
  ManageGuild: 1n << 5n,
  AddReactions: 1n << 6n,
  ViewChannel: 1n << 10n,
  SendMessages: 1n << 11n,
  ManageMessages: 1n << 13n,
  EmbedLinks: 1n << 14n,
  AttachFiles: 1n << 15n,
  ReadMessageHistory: 1n << 16n,
  MentionEveryone: 1n << 17n,
  UseExternalEmojis: 1n << 18n,
  Connect: 1n << 20n,
  ManageRoles: 1n << 28n,
  ManageWebhooks: 1n << 29n,
  UseApplicationCommands: 1n << 31n,
  ManageThreads: 1n << 34n,
  CreatePublicThreads: 1n << 35n,
  SendMessagesInThreads: 1n << 38n,
  CreateEvents: 1n << 44n,
} as const;
export type Permission = keyof typeof PERMISSIONS;

/** The permission overwrites of a role or a member in one channel. */
export interface Overwrite {
  readonly id: string;
  readonly of: 'role' | 'member';
  readonly allow: readonly Permission[];
  readonly deny: readonly Permission[];
}

interface Permitted {
  /** The role `@everyone` has the id of the guild. */
  readonly guildId: string;
  readonly userId: string;
  readonly owner: boolean;
  /** The roles without `@everyone`. */
  readonly roles: readonly { readonly id: string; readonly permissions: bigint }[];
  readonly everyone: bigint;
}

export const ALL_PERMISSIONS = Object.values(PERMISSIONS).reduce((all, bit) => all | bit, 0n);

export function toBits(permissions: readonly Permission[]): bigint {
  return permissions.reduce((bits, name) => bits | PERMISSIONS[name], 0n);
}

export function includes(bits: bigint, permission: Permission): boolean {
  return (bits & PERMISSIONS[permission]) !== 0n;
}

/** The permissions of a member in a channel: roles, then the overwrites of everyone, the roles, and the member. */
export function permissionsIn({ guildId, userId, owner, roles, everyone }: Permitted, overwrites: readonly Overwrite[]): bigint {
  const granted = roles.reduce((bits, role) => bits | role.permissions, everyone);
  if (owner || includes(granted, 'Administrator')) return ALL_PERMISSIONS;

  const roleIds = new Set(roles.map(({ id }) => id));
  const layers = [
    overwrites.filter(({ id }) => id === guildId),
    overwrites.filter((overwrite) => overwrite.of === 'role' && roleIds.has(overwrite.id)),
    overwrites.filter((overwrite) => overwrite.of === 'member' && overwrite.id === userId),
  ];
  return layers.reduce((bits, layer) => {
    const denied = layer.reduce((sum, { deny }) => sum | toBits(deny), 0n);
    const allowed = layer.reduce((sum, { allow }) => sum | toBits(allow), 0n);
    return (bits & ~denied) | allowed;
  }, granted);
}
