import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import { soonestMs } from '#src/clients/operation/find-lost.ts';
import type { UserList } from '#src/clients/social/records/discovery.ts';
import { WAYS } from '../auth/access.ts';
import { beforeWrite } from '#src/http/outcome.ts';
import { ignoreFaults } from '#src/http/errors.ts';
import type { Primitives, Recoveries, XApi } from '../client.ts';
import { MOST_ROWS, type Readers, readPosts, readUsers } from '../pages.ts';
import { type Includes, listOf, oneOf, partsOf, required } from '../wire/envelope.ts';
import { LIST_FIELDS } from '../wire/fields.ts';
import { count, filled, id, instant, instantOf, maybe } from '../wire/parts.ts';
import { toPerson } from '../wire/user.ts';
import type { UserNames } from './users.ts';

const ListRow = z.object({
  id,
  name: z.string(),
  description: maybe(filled),
  private: maybe(z.boolean()),
  member_count: maybe(count),
  follower_count: maybe(count),
  created_at: maybe(instant),
  owner_id: maybe(id),
});
const One = oneOf(ListRow);
const Many = listOf(ListRow);
const Made = oneOf(z.object({ id }));

function toList(row: z.output<typeof ListRow>, { users }: Includes, fetchedAt: Date): UserList {
  const owner = users.get(row.owner_id ?? '');
  return {
    platform: 'x',
    id: row.id,
    url: `https://x.com/i/lists/${row.id}`,
    name: row.name,
    description: row.description,
    owner: owner && toPerson(owner),
    visibility: row.private ? 'private' : 'public',
    memberCount: row.member_count,
    followerCount: row.follower_count,
    createdAt: row.created_at ?? instantOf(row.id),
    fetchedAt,
  };
}

type Name = 'getLists' | 'createList' | 'deleteList' | 'getList' | 'getListPosts' | 'getListMember' | 'addListMember' | 'removeListMember';

interface Lists {
  readonly operations: Pick<Primitives, Name>;
  readonly recoverList: Recoveries['createList'];
}

/** Lists of users. */
export function lists(readers: Readers, names: UserNames, clock: Clock): Lists {
  const { api } = readers;

  async function owned(cursor: string | undefined, signal: AbortSignal | undefined) {
    const { id: me } = await names.me(signal);
    const asking = { path: '/2/users/:id/owned_lists', params: { id: me } } as const;
    const query = { max_results: MOST_ROWS, pagination_token: cursor };
    const { answer, fetchedAt } = await api.read(Many, { ...asking, query, fields: LIST_FIELDS, ways: WAYS.user, signal });
    const items = answer.data.map((row) => toList(row, answer.includes, fetchedAt));
    return { items, cursor: answer.cursor, partialErrors: partsOf(answer, asking) };
  }

  return {
    operations: {
      getLists: (_, { cursor, signal }) => owned(cursor, signal),
      getList: ({ list }, { signal }) => readList(api, list, signal),
      getListPosts: ({ list }, options) => readPosts(readers, { path: '/2/lists/:id/tweets', params: { id: idOf(list) } }, options),
      getListMember: ({ list }, options) => readUsers(readers, { path: '/2/lists/:id/members', params: { id: idOf(list) } }, options),

      async createList({ name, description, isPrivate }, { signal }) {
        const owner = toPerson(await beforeWrite(names.me(signal)));
        const json = { name, private: isPrivate, ...(description !== '' && { description }) };
        const { answer } = await api.read(Made, { method: 'POST', path: '/2/lists', json, ways: WAYS.user, creates: true, signal });
        const made = required(answer, 'the new list').id;
        const now = new Date(clock.nowMs());
        return {
          platform: 'x',
          id: made,
          url: `https://x.com/i/lists/${made}`,
          name,
          description: description || undefined,
          owner,
          visibility: isPrivate ? 'private' : 'public',
          memberCount: 0,
          followerCount: 0,
          createdAt: instantOf(made) ?? now,
          fetchedAt: now,
        };
      },

      async deleteList({ list }, { signal }) {
        const request = { method: 'DELETE', path: '/2/lists/:id', params: { id: idOf(list) }, ways: WAYS.user, signal } as const;
        await ignoreFaults(api.send(request), 'missing');
        return true;
      },

      async addListMember({ list, user }, { signal }) {
        const json = { user_id: await names.idOf(user, signal) };
        await api.send({ method: 'POST', path: '/2/lists/:id/members', params: { id: idOf(list) }, json, ways: WAYS.user, signal });
        return readList(api, list, signal);
      },

      async removeListMember({ list, user }, { signal }) {
        const params = { id: idOf(list), user: await names.idOf(user, signal) };
        await api.send({ method: 'DELETE', path: '/2/lists/:id/members/:user', params, ways: WAYS.user, signal });
        return readList(api, list, signal);
      },
    },

    async recoverList({ name, description, isPrivate }, { since, taken, signal }) {
      const { items } = await owned(undefined, signal);
      const found = items.find(
        (list) =>
          !taken.has(list.id) &&
          list.name === name &&
          (list.description ?? '') === description &&
          list.visibility === (isPrivate ? 'private' : 'public') &&
          (list.createdAt?.getTime() ?? 0) >= soonestMs(since),
      );
      // If the list appears late, a second empty list does no harm.
      return found ? { found } : 'absent';
    },
  };
}

async function readList(api: XApi, list: string, signal: AbortSignal | undefined): Promise<UserList> {
  const { answer, fetchedAt } = await api.read(One, {
    path: '/2/lists/:id',
    params: { id: idOf(list) },
    fields: LIST_FIELDS,
    signal,
  });
  return toList(required(answer, `list ${list}`), answer.includes, fetchedAt);
}

/** The id in an id or an address. */
function idOf(list: string): string {
  const found = /^(?:https?:\/\/(?:www\.)?(?:x|twitter)\.com\/i\/lists\/)?(\d{1,19})$/.exec(list)?.[1];
  if (found !== undefined) return found;
  throw new PlatformError(`x has no list "${list}".`, { platform: 'x', fault: 'missing' });
}
