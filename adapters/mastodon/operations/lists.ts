import { z } from 'zod';
import { beforeWrite } from '#src/http/outcome.ts';
import { readPages } from '#src/clients/paging/read-pages.ts';
import type { UserList } from '#src/clients/social/records/discovery.ts';
import type { PlatformError } from '#src/errors.ts';
import { ignoreFaults, isFault } from '#src/http/errors.ts';
import type { AccountContext, Primitives, Recoveries } from '../account-context.ts';
import { MOST } from '../client.ts';
import { rejected, untilUndone } from '../errors.ts';
import { AccountRow, toPerson } from '../wire/account.ts';
import { id, PLATFORM, rowsOf, text } from '../wire/parts.ts';
import { usersPage } from './users.ts';

/** A list of the signed-in account. */
const ListRow = z.object({ id, title: text });
type ListRow = z.output<typeof ListRow>;

type Name = 'getLists' | 'createList' | 'deleteList' | 'getList' | 'getListPosts' | 'getListMember' | 'addListMember' | 'removeListMember';

interface Lists {
  readonly operations: Pick<Primitives, Name>;
  readonly recover: Pick<Recoveries, 'createList'>;
}

const PATH = '/api/v1/lists';
const MOST_PAGES = 25;
/** Faults of servers that do not state who is on a list. */
const WITHOUT_ANSWER = ['missing', 'forbidden', 'rejected', 'malformed'] as const;
const READ = 'read:lists';
const WRITE = 'write:lists';

/** Lists of the signed-in account, which are private. */
export function listsOperations(context: AccountContext): Lists {
  const { api, accounts, statuses } = context;
  const pathOf = (id: string, rest = ''): string => `${PATH}/${encodeURIComponent(id)}${rest}`;

  async function all(signal: AbortSignal | undefined): Promise<readonly ListRow[]> {
    return (await api.send({ path: PATH, scope: READ, signal })).json(rowsOf(ListRow));
  }

  async function read(id: string, signal: AbortSignal | undefined): Promise<ListRow> {
    return (await api.send({ path: pathOf(id), scope: READ, signal })).json(ListRow);
  }

  /** Whether an account is on a list; undefined if the server does not say. */
  async function isMember(list: string, accountId: string, signal: AbortSignal | undefined): Promise<boolean | undefined> {
    const path = `/api/v1/accounts/${encodeURIComponent(accountId)}/lists`;
    const lists = api.send({ path, scope: READ, signal }).then((response) => response.json(rowsOf(ListRow)));
    return (await ignoreFaults(lists, ...WITHOUT_ANSWER))?.some(({ id }) => id === list);
  }

  /** Whether a list shows an account as its member. Some servers state other lists of the account, or none. */
  async function isShown(list: string, accountId: string, signal: AbortSignal | undefined): Promise<boolean | undefined> {
    const members = { path: pathOf(list, '/accounts'), query: { limit: MOST.accounts }, scope: READ };
    const search = async (): Promise<boolean> => {
      for await (const { page } of readPages((cursor) => api.page(members, AccountRow, { cursor, signal }), MOST_PAGES)) {
        if (page.rows.some(({ id }) => id === accountId)) return true;
      }
      return false;
    };
    return (await ignoreFaults(search(), ...WITHOUT_ANSWER)) ?? isMember(list, accountId, signal);
  }

  async function toUserLists(rows: readonly ListRow[], signal: AbortSignal | undefined): Promise<UserList[]> {
    const me = await accounts.readMe(signal);
    return rows.map((row) => toUserList(row, me, api.now()));
  }

  async function one(row: ListRow, signal: AbortSignal | undefined): Promise<UserList> {
    return toUserList(row, await accounts.readMe(signal), api.now());
  }

  return {
    operations: {
      getLists: async (_, { signal }) => ({ items: await toUserLists(await all(signal), signal) }),
      getList: async ({ list }, { signal }) => one(await read(list, signal), signal),

      async createList({ name }, { signal }) {
        // Read first, because a failed read after the write would repeat the write.
        const me = await beforeWrite(accounts.readMe(signal));
        const response = await api.send({ method: 'POST', path: PATH, json: { title: name }, scope: WRITE, creates: true, signal });
        return toUserList(response.json(ListRow), me, api.now());
      },

      async deleteList({ list }, { signal }) {
        await ignoreFaults(api.send({ method: 'DELETE', path: pathOf(list), scope: WRITE, signal }), 'missing');
        return true;
      },

      getListPosts: ({ list }, options) =>
        statuses.page(`/api/v1/timelines/list/${encodeURIComponent(list)}`, {}, { ...options, scope: READ }),

      getListMember: ({ list }, options) => usersPage(context, { path: pathOf(list, '/accounts'), scope: READ }, options),

      async addListMember({ list, user }, { signal }) {
        const id = await accounts.idOf(user, signal);
        if (await isMember(list, id, signal)) return one(await read(list, signal), signal);
        try {
          const json = { account_ids: [id] };
          await api.send({ method: 'POST', path: pathOf(list, '/accounts'), json, scope: WRITE, creates: true, signal });
        } catch (error) {
          if (!isFault(error, 'missing', 'rejected')) throw error;
          // 422: the user is already a member, or cannot be one. 404: the account does not follow the user.
          if (isFault(error, 'rejected') && (await isShown(list, id, signal)) === false) throw notAdded(user, error);
          const row = await read(list, signal);
          if (isFault(error, 'missing')) throw rejected(`follow ${user} first: only followed users can be on a list.`, error);
          return one(row, signal);
        }
        if ((await isShown(list, id, signal)) === false) throw notAdded(user);
        return one(await read(list, signal), signal);
      },

      async removeListMember({ list, user }, { signal }) {
        const id = await accounts.idOf(user, signal);
        // Some servers ignore the body of a DELETE, and others its query.
        const members = { query: { 'account_ids[]': [id] }, json: { account_ids: [id] } };
        const isLeft = async (): Promise<boolean> => {
          await api.send({ method: 'DELETE', path: pathOf(list, '/accounts'), ...members, scope: WRITE, signal });
          return (await isShown(list, id, signal)) ?? false;
        };
        await untilUndone(isLeft, `${user} is still on the list`);
        return one(await read(list, signal), signal);
      },
    },

    recover: {
      async createList({ name }, { taken, signal }) {
        const alike = (await all(signal)).filter(({ id, title }) => title === name && !taken.has(id));
        const [found, ...others] = alike;
        // Lists have no creation time.
        if (others.length > 0) return 'cannotTell';
        return found ? { found: await one(found, signal) } : 'absent';
      },
    },
  };
}

function notAdded(user: string, cause?: PlatformError): PlatformError {
  return rejected(`the server did not add ${user} to the list.`, cause);
}

function toUserList({ id, title }: ListRow, owner: AccountRow, fetchedAt: Date): UserList {
  return { platform: PLATFORM, id, name: title, owner: toPerson(owner), visibility: 'private', fetchedAt };
}
