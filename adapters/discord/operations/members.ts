import { z } from 'zod';
import { instant, listOf, maybe, readRows } from '#src/http/lenient.ts';
import { makesModerators } from '#src/clients/chat/moderator-permissions.ts';
import type { ChatPlatform, MemberState, MemberStateKind, MemberStates } from '#src/clients/chat/chat.ts';
import type * as records from '#src/clients/chat/records.ts';
import type { PageOptions } from '#src/clients/operation/platform.ts';
import type { Page, PartialError } from '#src/clients/paging/page.ts';
import { isFault } from '#src/http/errors.ts';
import type { Named } from '../channels.ts';
import { codeOf, CODES, missing, notKnown, tooManyInVoice, unlisted, unsafe } from '../errors.ts';
import { NoAnswer, type Server } from '../server.ts';
import { toPerson, WireUser } from '../wire/message.ts';
import { refinding } from './retry-on-gone.ts';

const Member = z.object({ user: WireUser, nick: z.string().nullish() });
type Member = z.output<typeof Member>;

const ListedMember = Member.extend({ roles: z.array(z.string()), joined_at: maybe(instant) });
type ListedMember = z.output<typeof ListedMember>;
const ListedMembers = readRows(ListedMember);
const Place = z.object({ id: z.string(), name: z.string() });

/** The largest list of Discord. */
const LIST_SIZE = 1000;
/** The limit of requests for one page. Discord cannot filter by role, so many lists of a large server may have no member of the role. */
const LISTS_PER_PAGE = 10;

type Operations = Pick<ChatPlatform['operations'], 'addRole' | 'removeRole' | 'getMembers' | 'getVoiceMembers'>;

/** The status of a member. */
type Status = NonNullable<records.Member['status']>;
/** More members in voice channels are not read: each one is a request. */
const MOST_IN_VOICE = 100;

/** The form of a handle. Members choose their names and nicknames freely, so such a text is never a name: it could be that of another member. */
const HANDLE = /^[a-z0-9._]{2,32}$/u;

/** Finds a member by id, by handle, or by a unique name that cannot be a handle. */
export async function findMember(
  { api, guildId }: Pick<Server, 'api' | 'guildId'>,
  user: string,
  signal: AbortSignal | undefined,
): Promise<Member> {
  const id = idIn(user);
  if (id !== undefined) return api({ method: 'GET', path: `/guilds/${guildId}/members/${id}`, answer: Member, signal });
  const handle = user.replace(/^@/, '');
  // Discord finds all names that begin like the handle, in no order.
  const query = { query: handle, limit: String(LIST_SIZE) };
  const found = await api({ method: 'GET', path: `/guilds/${guildId}/members/search`, query, answer: listOf(Member), signal });
  const byHandle = found.filter(({ user: { username } }) => isSame(username, handle));
  const byName = found.filter(({ user: { global_name: name }, nick }) => isSame(name, handle) || isSame(nick, handle));
  if (byHandle.length === 0 && byName.length > 0 && HANDLE.test(handle))
    throw missing(`The Discord server has no member with the handle "${user}", and anyone can take it as a name: give the id instead.`);
  const [first, second] = byHandle.length > 0 ? byHandle : byName;
  if (second) throw missing(`The Discord server has more than one member "${user}": give the id instead.`);
  if (!first) throw missing(`The Discord server has no member "${user}" that the bot can see.`);
  return first;
}

function idIn(user: string): string | undefined {
  return /^(?:<@!?)?(\d{15,20})>?$/.exec(user)?.[1];
}

/** The members of a server, and their roles. */
export function members({ api, guildId, roles, clock }: Server, states: Pick<MemberStates, 'find'>): { readonly operations: Operations } {
  async function change(
    method: 'PUT' | 'DELETE',
    { user, role, server }: { user: string; role: string; server?: string | undefined },
    signal?: AbortSignal,
  ): Promise<records.RoleChange> {
    const isOfServer = server !== undefined;
    if (isOfServer && server !== guildId)
      throw missing('The account belongs to another Discord server. In fanfare.yaml, the section discord can serve all servers.');
    const wanted = async (): Promise<Named> => {
      const found = await roles.require(role, signal);
      // The administrators of a server choose the role of members who are live, and can change its permissions afterwards.
      if (method === 'PUT' && isOfServer && makesModerators(found.permissions ?? '0')) throw unsafe(found.name);
      return found;
    };
    const work = refinding(roles, wanted, async ({ id: roleId, name }) => {
      const changed = (wire: z.output<typeof WireUser>): records.RoleChange => ({ ...toPerson(wire), role: { id: roleId, name } });
      try {
        const member = await findMember({ api, guildId }, user, signal);
        await api({ method, path: `/guilds/${guildId}/members/${member.user.id}/roles/${roleId}`, answer: NoAnswer, signal });
        return changed(member.user);
      } catch (error) {
        // The roles of a member end when the member leaves. A list of a server names members for longer than they stay.
        if (codeOf(error) !== CODES.unknownMember || (method === 'PUT' && !isOfServer)) throw error;
        return changed(await findUser(user, signal));
      }
    });
    return work.catch(async (error: unknown) => {
      // A deleted role has no members.
      const isGone = method === 'DELETE' && isFault(error, 'missing') && [user, role].every(idIn) && !(await roles.find(role, signal));
      if (!isGone) throw error;
      return { ...toPerson(await findUser(user, signal)), role: { id: role, name: role } };
    });
  }

  /** A user who is not in the server, by an id. */
  async function findUser(user: string, signal: AbortSignal | undefined): Promise<z.output<typeof WireUser>> {
    return api({ method: 'GET', path: `/users/${idIn(user) ?? ''}`, answer: WireUser, signal });
  }

  /** Only an unknown state is an error: without one, an empty list would end all items of a rule. */
  async function statesOf(kind: MemberStateKind): Promise<Readonly<Record<string, MemberState>>> {
    const known = await states.find(guildId, kind);
    if (!known) throw notKnown(kind);
    return known;
  }

  async function readPage(
    role: Named | undefined,
    { cursor, signal }: PageOptions,
    hasStatus?: (id: string) => Status | undefined,
  ): Promise<Page<records.Member>> {
    const found: ListedMember[] = [];
    const partialErrors: PartialError[] = [];
    let after = cursor ?? '0';
    let [scanned, isEnd] = [0, false];
    for (let count = 0; count < LISTS_PER_PAGE && !isEnd; count++) {
      const query = { limit: String(LIST_SIZE), after };
      const list = await api({ method: 'GET', path: `/guilds/${guildId}/members`, query, answer: ListedMembers, signal });
      const read = list.rows.length + list.partialErrors.length;
      // The bot is a member, so a list without anyone means that Discord withholds it.
      if (read === 0 && after === '0') throw unlisted();
      const ofRole = list.rows.filter((member) => !role || role.id === guildId || member.roles.includes(role.id));
      found.push(...ofRole.filter(({ user }) => !hasStatus || hasStatus(user.id) !== undefined));
      partialErrors.push(...list.partialErrors);
      scanned += read;
      isEnd = read < LIST_SIZE;
      after = list.rows.at(-1)?.user.id ?? after;
    }
    const names = await roles.namesOf(new Set(found.flatMap((member) => member.roles)), signal);
    const fetchedAt = new Date(clock.nowMs());
    const items = found.map((member) => {
      const status = hasStatus?.(member.user.id);
      return { ...toMember(member, names, fetchedAt), ...(status && { status }) };
    });
    return { items, scanned, partialErrors, cursor: isEnd ? undefined : after };
  }

  return {
    operations: {
      async getMembers({ role, status }, options) {
        const wanted = role === undefined ? undefined : await roles.require(role, options.signal);
        if (status === undefined) return readPage(wanted, options);
        const known = await statesOf('presence');
        const statuses: readonly Status[] = [status].flat();
        return readPage(wanted, options, (id) => {
          const now = known[id]?.status ?? 'offline';
          return statuses.includes(now) ? now : undefined;
        });
      },

      async getVoiceMembers({ streaming }, { signal }) {
        const known = Object.entries(await statesOf('voice'));
        const wanted = known.filter(([, state]) => streaming === undefined || (state.streaming ?? false) === streaming);
        if (wanted.length > MOST_IN_VOICE) throw tooManyInVoice(wanted.length);
        const read: (readonly [ListedMember, MemberState])[] = [];
        for (const [id, state] of wanted) {
          const path = `/guilds/${guildId}/members/${id}` as const;
          const member = await api({ method: 'GET', path, answer: ListedMember, signal }).catch((error: unknown) => {
            // The event that a member left may come later than the poll.
            if (codeOf(error) !== CODES.unknownMember) throw error;
          });
          if (member) read.push([member, state]);
        }
        const names = await roles.namesOf(new Set(read.flatMap(([member]) => member.roles)), signal);
        const places =
          read.length === 0 ? [] : await api({ method: 'GET', path: `/guilds/${guildId}/channels`, answer: listOf(Place), signal });
        const placeNames = new Map(places.map(({ id, name }) => [id, name]));
        const fetchedAt = new Date(clock.nowMs());
        const items = read.map(([member, { channel = '', streaming: isStreaming = false }]) => {
          return {
            ...toMember(member, names, fetchedAt),
            channel: { id: channel, name: placeNames.get(channel) ?? channel },
            streaming: isStreaming,
          };
        });
        return { items, scanned: items.length, partialErrors: [], cursor: undefined };
      },

      addRole: (wanted, { signal }) => change('PUT', wanted, signal),
      removeRole: (wanted, { signal }) => change('DELETE', wanted, signal),
    },
  };
}

function isSame(name: string | null | undefined, wanted: string): boolean {
  return name?.toLowerCase() === wanted.toLowerCase();
}

function toMember({ user, nick, roles, joined_at }: ListedMember, names: ReadonlyMap<string, string>, fetchedAt: Date): records.Member {
  const person = toPerson(user);
  return {
    ...person,
    displayName: nick ?? person.displayName,
    bot: user.bot ?? false,
    roles: roles.map((id) => names.get(id) ?? id),
    joinedAt: joined_at,
    fetchedAt,
  };
}
