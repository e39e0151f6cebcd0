import { z } from 'zod';
import { arrayOf } from '#src/http/lenient.ts';
import type { ChatPlatform } from '#src/chat/chat.ts';
import type { Person } from '#src/operation/record.ts';
import type { Named } from '../channels.ts';
import { missing } from '../errors.ts';
import { NoAnswer, type Server } from '../server.ts';
import { toPerson, WireUser } from '../wire/message.ts';
import { refinding } from './retry-on-gone.ts';

const Member = z.object({ user: WireUser, nick: z.string().nullish() });
type Member = z.output<typeof Member>;

type Operations = Pick<ChatPlatform['operations'], 'addRole' | 'removeRole'>;

/** The roles of the members of a server. */
export function members({ api, guildId, roles }: Server): { readonly operations: Operations } {
  /** Finds a member by id, by handle, or by a unique name. */
  async function find(user: string, signal: AbortSignal | undefined): Promise<Member> {
    const id = /^(?:<@!?)?(\d{15,20})>?$/.exec(user)?.[1];
    if (id !== undefined) return api({ method: 'GET', path: `/guilds/${guildId}/members/${id}`, answer: Member, signal });
    const handle = user.replace(/^@/, '');
    const query = { query: handle, limit: '100' };
    const found = await api({ method: 'GET', path: `/guilds/${guildId}/members/search`, query, answer: arrayOf(Member), signal });
    const [first, second] = fitting(found, handle);
    if (second) throw missing(`The Discord server has more than one member "${user}": give the id instead.`);
    if (!first) throw missing(`The Discord server has no member "${user}" that the bot can see.`);
    return first;
  }

  async function change(method: 'PUT' | 'DELETE', { user, role }: { user: string; role: string }, signal?: AbortSignal): Promise<Person> {
    const wanted = (): Promise<Named> => roles.require(role, signal);
    return refinding(roles, wanted, async ({ id: roleId }) => {
      const member = await find(user, signal);
      await api({ method, path: `/guilds/${guildId}/members/${member.user.id}/roles/${roleId}`, answer: NoAnswer, signal });
      return toPerson(member.user);
    });
  }

  return {
    operations: {
      addRole: (wanted, { signal }) => change('PUT', wanted, signal),
      removeRole: (wanted, { signal }) => change('DELETE', wanted, signal),
    },
  };
}

/** The members with this handle, or else the members with this name. */
function fitting(found: readonly Member[], wanted: string): readonly Member[] {
  const same = (name: string | null | undefined): boolean => name?.toLowerCase() === wanted.toLowerCase();
  const byHandle = found.filter(({ user }) => same(user.username));
  return byHandle.length > 0 ? byHandle : found.filter(({ user, nick }) => same(nick) || same(user.global_name));
}
