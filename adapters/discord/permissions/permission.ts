import type { ApiRequest } from '../client.ts';

/** Permissions of the bot, with Discord's bits. */
export const PERMISSIONS = {
  'Manage Channels': 1n << 4n,
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
  'Manage Webhooks': 1n << 29n,
  'Manage Threads': 1n << 34n,
  'Create Public Threads': 1n << 35n,
  'Send Messages in Threads': 1n << 38n,
  'Create Events': 1n << 44n,
} as const;

/** A permission by its name in Discord's settings. */
export type Permission = keyof typeof PERMISSIONS;

const ADMINISTRATOR = 1n << 3n;

interface Overwrite {
  readonly id: string;
  readonly allow: bigint;
  readonly deny: bigint;
}

/** The data that decides the permissions of a member in a channel. */
export interface MemberPermissions {
  readonly guildId: string;
  readonly memberId: string;
  /** The roles of the member, and `@everyone`. */
  readonly roles: readonly { readonly id: string; readonly name: string; readonly permissions: bigint }[];
  readonly overwrites: readonly Overwrite[];
}

/** The reason for a missing permission: no role grants it, or the channel denies it. */
export type Lack = { readonly permission: Permission } & (
  | { readonly kind: 'neverGiven' }
  | { readonly kind: 'denied'; readonly by: 'itself' | readonly string[] }
);

/** The permissions that a member lacks in a channel, with the reasons. View Channel comes first because it implies all others. */
export function lacks(member: MemberPermissions, needed: readonly Permission[]): readonly Lack[] {
  const granted = member.roles.reduce((bits, { permissions }) => bits | permissions, 0n);
  if ((granted & ADMINISTRATOR) !== 0n) return [];
  const found = needed.flatMap((permission) => lackOf(PERMISSIONS[permission], member, granted, permission) ?? []);
  return found
    .filter(({ permission }) => permission === 'View Channel')
    .concat(found.filter(({ permission }) => permission !== 'View Channel'));
}

/** Discord applies the overwrite of `@everyone`, then of all roles together (allow wins), then of the member. */
function lackOf(
  bit: bigint,
  { guildId, memberId, roles, overwrites }: MemberPermissions,
  granted: bigint,
  permission: Permission,
): Lack | undefined {
  const ofMember = overwrites.find(({ id }) => id === memberId);
  if (has(ofMember?.allow, bit)) return undefined;
  if (has(ofMember?.deny, bit)) return { permission, kind: 'denied', by: 'itself' };

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

/** The channel of a request, and the permissions that it needs. */
interface Need {
  readonly channelId: string;
  /** Writing in a thread needs Send Messages in Threads instead. */
  readonly permissions: readonly Permission[];
}

const IN_CHANNEL = /^\/channels\/(\d+)(\/.*)?$/;

/** The permissions that a request needs in its channel; undefined for other requests. */
export function neededFor(request: Pick<ApiRequest<unknown>, 'method' | 'path' | 'body' | 'files'>): Need | undefined {
  const [, channelId, rest = ''] = IN_CHANNEL.exec(request.path) ?? [];
  return channelId === undefined ? undefined : { channelId, permissions: ['View Channel', ...permissionsFor(rest, request)] };
}

function permissionsFor(
  rest: string,
  { method, body = {}, files = [] }: Pick<ApiRequest<unknown>, 'method' | 'body' | 'files'>,
): readonly Permission[] {
  const post = 'message' in body && typeof body.message === 'object' && body.message !== null ? body.message : undefined;
  const contents = contentsOf(post ?? body, files.length > 0);
  if (rest === '/messages' && method === 'POST') return ['Send Messages', ...contents];
  if (rest === '/webhooks') return ['Manage Webhooks'];
  if (rest === '/threads') return post ? ['Send Messages', ...contents] : ['Create Public Threads'];
  if (rest.endsWith('/threads')) return ['Read Message History', 'Create Public Threads'];
  if (rest.includes('/reactions/')) return ['Read Message History', 'Add Reactions'];
  if (rest.startsWith('/threads/archived/')) return ['Read Message History'];
  if (rest.endsWith('/crosspost')) return ['Read Message History', 'Send Messages'];
  if (method === 'DELETE') return ['Read Message History', 'Manage Messages'];
  return rest.startsWith('/messages') ? ['Read Message History', ...contents] : [];
}

function contentsOf(form: object, hasFiles: boolean): readonly Permission[] {
  const hasCards = 'embeds' in form && Array.isArray(form.embeds) && form.embeds.length > 0;
  const replies = 'message_reference' in form && form.message_reference !== undefined;
  const needs: readonly (readonly [boolean, Permission])[] = [
    [hasCards, 'Embed Links'],
    [hasFiles, 'Attach Files'],
    [replies, 'Read Message History'],
  ];
  return needs.flatMap(([isNeeded, permission]) => (isNeeded ? [permission] : []));
}
