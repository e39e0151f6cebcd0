import { z } from 'zod';
import { arrayOf, listOf } from '#src/http/lenient.ts';
import { PlatformError } from '#src/errors.ts';
import type { DiscordApi } from '../client.ts';
import { codeOf, CODES, CONTENT_INTENT, MEMBERS_INTENT, PRESENCE_INTENT } from '../errors.ts';
import { type Lack, lacks, type MemberPermissions, neededFor, type Permission } from './permission.ts';

const VOICE: readonly unknown[] = [2, 13];
const PRIVATE_THREAD = 12;

const OUTSIDE = 'The bot is not in this Discord server: invite it with `npx fanfare auth discord`.';

const Bits = z.string().regex(/^\d+$/).transform(BigInt);
const Channel = z.object({
  id: z.string(),
  name: z.string(),
  type: z.int(),
  parent_id: z.string().nullish(),
  permission_overwrites: arrayOf(z.object({ id: z.string(), allow: Bits, deny: Bits })).nullish(),
});
type Channel = z.output<typeof Channel>;
const Roles = listOf(
  z.object({ id: z.string(), name: z.string(), permissions: Bits, position: z.int().optional(), managed: z.boolean().optional() }),
);
type Roles = z.output<typeof Roles>;
const Bot = z.object({ id: z.string(), username: z.string() });
type Bot = z.output<typeof Bot>;
const Member = z.object({ user: Bot, roles: arrayOf(z.string()) });

export interface DoctorOptions {
  readonly api: DiscordApi;
  readonly guildId: string;
  readonly botId: (signal?: AbortSignal) => Promise<string>;
}

/** Finds missing permissions of the bot, with channels and reasons. */
export interface Doctor {
  /** The missing permissions in a channel or thread; undefined if there are none. Throws `missing` for an unknown channel. */
  examine(channelId: string, needed: readonly Permission[], signal?: AbortSignal): Promise<string | undefined>;
  /** The name of a channel or thread that every member of the server sees; undefined: it is hidden from some. */
  seenByEveryone(channelId: string, signal?: AbortSignal): Promise<string | undefined>;
  /** Why the bot cannot add or remove a role, by its id; undefined if it can. */
  examineRole(roleId: string, signal?: AbortSignal): Promise<string | undefined>;
  /** Why Discord does not list the members; undefined if it does. */
  examineMembers(signal?: AbortSignal): Promise<string | undefined>;
  /** Why Discord does not show the status of members; undefined if it does. */
  examinePresence(signal?: AbortSignal): Promise<string | undefined>;
  /** Why Discord does not show what members write; undefined if it does. */
  examineContent(signal?: AbortSignal): Promise<string | undefined>;
  /** Throws if the bot is not in the server. */
  findServer(signal?: AbortSignal): Promise<void>;
  /** The permission that a refused request needed; undefined if unknown. */
  explain(request: Parameters<DiscordApi>[0]): Promise<string | undefined>;
}

const Application = z.object({ flags: z.int().nullish() });
/** The flags of the Presence Intent: of verified bots, and of bots in fewer than 100 servers. */
const PRESENCE_FLAGS = (1 << 12) | (1 << 13);
/** Those of the Message Content Intent. */
const CONTENT_FLAGS = (1 << 18) | (1 << 19);

/** Reads roles and channels without a cache, because permissions may have just changed. */
export function doctor({ api, guildId, botId }: DoctorOptions): Doctor {
  const members: `/${string}` = `/guilds/${guildId}/members`;

  /** Finds a channel or thread: the list contains hidden channels but no threads. */
  async function find(channelId: string, signal?: AbortSignal): Promise<{ readonly place: Channel; readonly parent: Channel | undefined }> {
    const all = await api({ method: 'GET', path: `/guilds/${guildId}/channels`, answer: listOf(Channel), signal });
    const channel = all.find(({ id }) => id === channelId);
    if (channel) return { place: channel, parent: undefined };
    const thread = await api({ method: 'GET', path: `/channels/${channelId}`, answer: Channel, signal });
    return { place: thread, parent: all.find(({ id }) => id === thread.parent_id) };
  }

  /** The bot with its roles, and all roles of the server. */
  async function readBot(signal?: AbortSignal): Promise<{ readonly user: Bot; readonly roles: Roles; readonly all: Roles }> {
    const path: `/${string}` = `${members}/${await botId(signal)}`;
    const [{ user, roles }, all] = await Promise.all([
      api({ method: 'GET', path, answer: Member, signal }),
      api({ method: 'GET', path: `/guilds/${guildId}/roles`, answer: Roles, signal }),
    ]);
    return { user, roles: all.filter(({ id }) => id === guildId || roles.includes(id)), all };
  }

  async function examine(channelId: string, wanted: readonly Permission[], signal?: AbortSignal): Promise<string | undefined> {
    const { place: target, parent } = await find(channelId, signal);
    const { user, roles } = await readBot(signal);
    const overwrites = (parent ?? target).permission_overwrites ?? [];
    const permissions: MemberPermissions = { guildId, memberId: user.id, roles, overwrites };
    const needed = parent ? wanted.map(asInThread) : wanted;
    const missing = lacks(permissions, VOICE.includes(target.type) ? [...needed, 'Connect'] : needed);
    const where = parent ? `${target.name}, a thread of #${parent.name}` : `#${target.name}`;
    return missing.length === 0 ? undefined : describe(missing, { bot: user.username, where, roles: rolesOf(permissions) });
  }

  async function examineRole(roleId: string, signal?: AbortSignal): Promise<string | undefined> {
    const { user, roles, all } = await readBot(signal);
    const role = all.find(({ id }) => id === roleId);
    if (!role) return undefined;
    const missing = lacks({ guildId, memberId: user.id, roles, overwrites: [] }, ['Manage Roles']);
    if (missing.length > 0)
      return `${user.username} does not have the permission Manage Roles in the server: allow it for one of its roles.`;
    if (role.managed) return `The role "${role.name}" belongs to an integration, so no bot can add or remove it.`;
    const highest = Math.max(...roles.map(({ position = 0 }) => position));
    if ((role.position ?? 0) < highest) return undefined;
    return `The role "${role.name}" is not below the highest role of ${user.username}: move it down in the roles of the server.`;
  }

  async function findServer(signal?: AbortSignal): Promise<void> {
    await api({ method: 'GET', path: `/guilds/${guildId}`, answer: z.unknown(), signal });
  }

  async function seenByEveryone(channelId: string, signal?: AbortSignal): Promise<string | undefined> {
    const { place: target, parent } = await find(channelId, signal);
    const all = await api({ method: 'GET', path: `/guilds/${guildId}/roles`, answer: Roles, signal });
    const overwrites = (parent ?? target).permission_overwrites ?? [];
    const everyone: MemberPermissions = { guildId, memberId: '', roles: all.filter(({ id }) => id === guildId), overwrites };
    const isHidden = target.type === PRIVATE_THREAD || lacks(everyone, ['View Channel']).length > 0;
    return isHidden ? undefined : `#${target.name}`;
  }

  /** Whether the bot is not a member of the server. */
  async function isShutOut(signal?: AbortSignal): Promise<boolean> {
    try {
      await findServer(signal);
      return false;
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      return error.fault === 'missing' || error.fault === 'forbidden';
    }
  }

  async function examineMembers(signal?: AbortSignal): Promise<string | undefined> {
    const request = { method: 'GET', path: members, query: { limit: '1' }, answer: arrayOf(z.unknown()), signal } as const;
    try {
      return (await api(request)).length === 0 ? MEMBERS_INTENT : undefined;
    } catch (error) {
      if (codeOf(error) !== CODES.missingAccess) throw error;
      return (await isShutOut(signal)) ? OUTSIDE : MEMBERS_INTENT;
    }
  }

  async function hasFlag(wanted: number, signal?: AbortSignal): Promise<boolean> {
    const { flags } = await api({ method: 'GET', path: '/applications/@me', answer: Application, signal });
    return ((flags ?? 0) & wanted) !== 0;
  }

  return {
    examine,
    examineRole,
    examineMembers,
    examinePresence: async (signal) => ((await hasFlag(PRESENCE_FLAGS, signal)) ? undefined : PRESENCE_INTENT),
    examineContent: async (signal) => ((await hasFlag(CONTENT_FLAGS, signal)) ? undefined : CONTENT_INTENT),
    findServer,
    seenByEveryone,

    async explain(request) {
      const need = neededFor(request);
      if (!need) {
        if (request.path.startsWith(`/guilds/${guildId}/`) && (await isShutOut(request.signal))) return OUTSIDE;
        return request.path === members ? MEMBERS_INTENT : undefined;
      }
      const { channelId, permissions } = need;
      try {
        return await examine(channelId, permissions, request.signal);
      } catch (error) {
        if (!(error instanceof PlatformError)) throw error;
        // If this check fails, the error of Discord is reported.
        return codeOf(error) === CODES.missingAccess && (await isShutOut(request.signal)) ? OUTSIDE : undefined;
      }
    },
  };
}

/** An API whose errors name the missing permission. */
export function explaining(api: DiscordApi, { explain }: Pick<Doctor, 'explain'>): DiscordApi {
  return async (request) => {
    try {
      return await api(request);
    } catch (error) {
      const why = error instanceof PlatformError && isAboutPermissions(error) ? await explain(request) : undefined;
      if (!(error instanceof PlatformError) || why === undefined) throw error;
      const { platform, fault, status, cause } = error;
      const refusesAccount = why === OUTSIDE;
      throw new PlatformError(`${why} (Discord's code ${codeOf(error)}.)`, { platform, fault, status, cause, refusesAccount });
    }
  };
}

function asInThread(permission: Permission): Permission {
  return permission === 'Send Messages' ? 'Send Messages in Threads' : permission;
}

function isAboutPermissions(error: PlatformError): boolean {
  const code = codeOf(error);
  return code === CODES.missingAccess || code === CODES.missingPermissions || code === CODES.noReplyWithoutHistory;
}

function rolesOf({ roles, guildId }: MemberPermissions): readonly string[] {
  return roles.filter(({ id }) => id !== guildId).map(({ name }) => name);
}

/** For example `Fanfare does not have the permission Embed Links in #live: the channel denies it to its role "Fanfare bot".` */
function describe(
  missing: readonly Lack[],
  { bot, where, roles }: { readonly bot: string; readonly where: string; readonly roles: readonly string[] },
): string {
  const byReason = Map.groupBy(missing, reasonOf);
  const parts = [...byReason].map(
    ([reason, some]) =>
      `${bot} does not have the ${some.length === 1 ? 'permission' : 'permissions'} ${joinWithAnd(some.map(({ permission }) => permission))} in ${where}: ${reason}.`,
  );
  const cure = roles.length > 0 ? `its role ${quoted(roles)}` : 'it, by a role or by name';
  return `${parts.join(' ')} Allow it there for ${cure}.`;
}

function reasonOf(lack: Lack): string {
  if (lack.kind === 'neverGiven') return 'its roles do not have the permission';
  if (lack.by === 'itself') return 'the channel denies it to the bot';
  return `the channel denies it to ${lack.by.includes('@everyone') ? '@everyone' : `its role ${quoted(lack.by)}`}`;
}

function quoted(names: readonly string[]): string {
  return joinWithAnd(names.map((name) => `"${name}"`));
}

function joinWithAnd(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
