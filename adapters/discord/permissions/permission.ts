/** What the bot may be allowed to do, by Discord's bits. */
export const PERMISSIONS = {
  'Add Reactions': 1n << 6n,
  'View Channel': 1n << 10n,
  'Send Messages': 1n << 11n,
  'Manage Messages': 1n << 13n,
  'Embed Links': 1n << 14n,
  'Attach Files': 1n << 15n,
  'Read Message History': 1n << 16n,
  'Mention Everyone': 1n << 17n,
  Connect: 1n << 20n,
  'Manage Roles': 1n << 28n,
  'Manage Threads': 1n << 34n,
  'Create Public Threads': 1n << 35n,
  'Send Messages in Threads': 1n << 38n,
} as const;

/** A permission by its name in Discord's settings. */
export type Permission = keyof typeof PERMISSIONS;

const ADMINISTRATOR = 1n << 3n;

interface Overwrite {
  readonly id: string;
  readonly allow: bigint;
  readonly deny: bigint;
}

/** A member and a channel, as far as it matters for what the one may do in the other. */
export interface Standing {
  readonly guildId: string;
  readonly memberId: string;
  /** Those of the member, and everyone's. */
  readonly roles: readonly { readonly id: string; readonly name: string; readonly permissions: bigint }[];
  readonly overwrites: readonly Overwrite[];
}

/** Why a permission is missing: nobody gave it, or somebody took it away in the channel. */
export type Lack = { readonly permission: Permission } & (
  | { readonly kind: 'neverGiven' }
  | { readonly kind: 'denied'; readonly by: 'itself' | readonly string[] }
);

/** Which of some permissions a member lacks in a channel, and why; first the one that hides the channel, as it takes all others with it. */
export function lacks(standing: Standing, needed: readonly Permission[]): readonly Lack[] {
  const granted = standing.roles.reduce((bits, { permissions }) => bits | permissions, 0n);
  if ((granted & ADMINISTRATOR) !== 0n) return [];
  const found = needed.flatMap((permission) => lackOf(PERMISSIONS[permission], standing, granted, permission) ?? []);
  return found
    .filter(({ permission }) => permission === 'View Channel')
    .concat(found.filter(({ permission }) => permission !== 'View Channel'));
}

/** Everyone's overwrite comes first, then those of the roles together, of which what one allows wins, and then the member's own. */
function lackOf(
  bit: bigint,
  { guildId, memberId, roles, overwrites }: Standing,
  granted: bigint,
  permission: Permission,
): Lack | undefined {
  const own = overwrites.find(({ id }) => id === memberId);
  if (has(own?.allow, bit)) return undefined;
  if (has(own?.deny, bit)) return { permission, kind: 'denied', by: 'itself' };

  const ofRoles = overwrites.filter(({ id }) => id !== guildId && roles.some((role) => role.id === id));
  if (ofRoles.some(({ allow }) => has(allow, bit))) return undefined;
  const deniers = ofRoles.filter(({ deny }) => has(deny, bit)).flatMap(({ id }) => roles.find((role) => role.id === id)?.name ?? []);
  if (deniers.length > 0) return { permission, kind: 'denied', by: deniers };

  const everyone = overwrites.find(({ id }) => id === guildId);
  if (has(everyone?.allow, bit)) return undefined;
  if (has(everyone?.deny, bit)) return { permission, kind: 'denied', by: ['@everyone'] };
  return has(granted, bit) ? undefined : { permission, kind: 'neverGiven' };
}

function has(bits: bigint | undefined, bit: bigint): boolean {
  return bits !== undefined && (bits & bit) !== 0n;
}
