import { z } from 'zod';
import { UnsupportedOperation } from '#src/errors.ts';
import type { Query } from '#src/http/request-parts.ts';
import type { PageOptions } from '#src/clients/operation/platform.ts';
import type { Page } from '#src/clients/paging/page.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import type { User } from '#src/clients/social/records/user.ts';
import type { PrimitivesOf } from '#src/clients/social/social.ts';
import type * as topic from '#src/clients/social/users.ts';
import { ignoreFaults, isFault } from '#src/http/errors.ts';
import { readByIds, readRelationships } from './accounts.ts';
import { MOST } from '../client.ts';
import type { AccountContext } from '../account-context.ts';
import { forbidden } from '../errors.ts';
import { API_VERSIONS } from '../instance.ts';
import { AccountRow } from '../wire/account.ts';
import { id, PLATFORM, rowsOf } from '../wire/parts.ts';
import type { StatusRow } from '../wire/status.ts';

type Users = Omit<PrimitivesOf<typeof topic>, 'getUserSubscribers'>;

const Familiar = z.object({ id, accounts: rowsOf(AccountRow) });
const Suggested = z.object({ account: AccountRow });

/** One page of a list of accounts, as users. */
export async function usersPage(
  { api, accounts }: AccountContext,
  { path, query, scope = 'read:accounts' }: { readonly path: string; readonly query?: Query; readonly scope?: string },
  options: PageOptions,
): Promise<Page<User>> {
  const { rows, partialErrors, cursor } = await api.page({ path, query: { limit: MOST.accounts, ...query }, scope }, AccountRow, options);
  return { items: await accounts.toUsers(rows, options.signal), partialErrors, cursor };
}

/** Users, their posts and their follows. */
export function usersOperations(context: AccountContext): Users {
  const { api, accounts, instances, statuses } = context;

  /** One page of a list of an account. A server returns an empty list for an account that it does not show. */
  async function ofUser<P extends Page<unknown>>(
    user: string,
    list: string,
    read: (path: string) => Promise<P>,
    signal: AbortSignal | undefined,
  ): Promise<P> {
    const accountId = await accounts.idOf(user, signal);
    const path = `/api/v1/accounts/${encodeURIComponent(accountId)}`;
    const page = await read(`${path}/${list}`);
    if ((page.scanned ?? page.items.length) > 0 || accountId === (await accounts.myId(signal))) return page;
    const request = { path, scope: 'read:accounts', signal };
    const [response, relationships] = await Promise.all([
      ignoreFaults(api.send(request), 'missing', 'rejected'),
      readRelationships(api, [accountId], signal),
    ]);
    if (response) requireShown(user, response.json(AccountRow));
    if (relationships.get(accountId)?.blockedBy) throw forbidden(`user "${user}" has blocked this account.`);
    return page;
  }

  /** Whether the server ignores the filter for pinned posts: it returns the same posts with and without it. */
  async function listsAllAsPinned(path: string, pinned: readonly StatusRow[], signal: AbortSignal | undefined): Promise<boolean> {
    const { isMastodon } = await instances.current(signal);
    if (isMastodon) return false;
    const { rows } = await statuses.page(path, {}, { signal });
    return rows.length === pinned.length && rows.every((row, position) => row.id === pinned[position]?.id);
  }

  /** The accounts with these names, in order. */
  async function many(names: readonly string[], signal: AbortSignal | undefined): Promise<readonly AccountRow[]> {
    const { apiVersion } = await instances.current(signal);
    const numbers = names.filter((name) => /^\d+$/u.test(name));
    const isBatch = apiVersion >= API_VERSIONS.batches && numbers.length > 1;
    const batch = { path: '/api/v1/accounts', scope: 'read:accounts', row: AccountRow, ids: isBatch ? numbers : [], signal };
    const byId = await readByIds(api, batch);
    const unique = [...new Set(names)];
    const found = await Promise.all(unique.map(async (name) => requireShown(name, byId.get(name) ?? (await accounts.find(name, signal)))));
    return names.flatMap((name) => found[unique.indexOf(name)] ?? []);
  }

  async function highlights(path: string, options: PageOptions): Promise<Page<Post>> {
    const { rows, items, ...page } = await statuses.page(path, { pinned: true }, options);
    const [first] = rows;
    if (!first) return { ...page, items, approximate: true };
    if (first.account.id === (await accounts.myId(options.signal))) {
      // Some servers list all posts; they tell which posts of the signed-in account are pinned.
      return { ...page, items: items.filter((_, position) => rows[position]?.pinned), approximate: true };
    }
    if (await listsAllAsPinned(path, rows, options.signal)) {
      throw unsupportedByServer('getUserHighlights', 'This server lists all posts of an account as its pinned posts.');
    }
    return { ...page, items, approximate: true };
  }

  return {
    async getUserInfo({ user }, { signal }) {
      if (Array.isArray(user)) return accounts.toUsers(await many(user, signal), signal);
      const row = user === undefined ? await accounts.readMe(signal) : requireShown(user, await accounts.find(user, signal));
      const [found] = await accounts.toUsers([row], signal);
      if (!found) throw new Error('an account could not be converted');
      return found;
    },

    getUserId: ({ user }, { signal }) => accounts.idOf(user, signal),

    getPosts: async ({ user, replies }, options) =>
      ofUser(
        user,
        'statuses',
        async (path) => {
          if (replies) return statuses.page(path, {}, options);
          const { rows, items, ...page } = await statuses.page(path, { exclude_replies: true }, options);
          // Servers keep replies to oneself.
          return { ...page, items: items.filter(({ replyTo }) => !replyTo), scanned: rows.length };
        },
        options.signal,
      ),

    getUserMedia: async ({ user }, options) =>
      ofUser(
        user,
        'statuses',
        async (path) => {
          const { items, ...page } = await statuses.page(path, { only_media: true, exclude_reblogs: true }, options);
          return { ...page, items: items.filter(({ media }) => media.length > 0) };
        },
        options.signal,
      ),

    getUserHighlights: async ({ user }, options) => ofUser(user, 'statuses', (path) => highlights(path, options), options.signal),
    getUserFollowers: async ({ user }, options) =>
      ofUser(user, 'followers', (path) => usersPage(context, { path }, options), options.signal),
    getUserFollowings: async ({ user }, options) =>
      ofUser(user, 'following', (path) => usersPage(context, { path }, options), options.signal),
    getBlockedUsers: (_, options) => usersPage(context, { path: '/api/v1/blocks', scope: 'read:blocks' }, options),

    async getMutualFollowers({ user }, { signal }) {
      const query = { 'id[]': [await accounts.idOf(user, signal)] };
      const path = '/api/v1/accounts/familiar_followers';
      const answer = await api.send({ path, query, scope: 'read:follows', signal }).catch((error: unknown) => {
        throw isFault(error, 'missing')
          ? unsupportedByServer('getMutualFollowers', 'Familiar followers need Mastodon 3.5 or later.')
          : error;
      });
      const rows = answer.json(rowsOf(Familiar)).flatMap((row) => row.accounts);
      return { items: await accounts.toUsers(rows, signal) };
    },

    async getSuggestedUsers(_, { signal }) {
      const request = { query: { limit: MOST.accounts }, scope: 'read', signal };
      const current = await ignoreFaults(api.send({ ...request, path: '/api/v2/suggestions' }), 'missing');
      const suggested = current?.json(rowsOf(Suggested)).map(({ account }) => account);
      if (suggested) return accounts.toUsers(suggested, signal);
      const response = await api.send({ ...request, path: '/api/v1/suggestions' }).catch((error: unknown) => {
        throw isFault(error, 'missing') ? unsupportedByServer('getSuggestedUsers', 'This server has no suggestions.') : error;
      });
      return accounts.toUsers(response.json(rowsOf(AccountRow)), signal);
    },
  };
}

/** The account; throws if the server has suspended it, and so shows nothing of it. */
function requireShown(name: string, row: AccountRow): AccountRow {
  if (row.suspended) throw forbidden(`the server has suspended user "${name}".`);
  return row;
}

/** The error for a feature that this server lacks. */
export function unsupportedByServer(operation: string, detail: string, alternatives: readonly string[] = []): UnsupportedOperation {
  return new UnsupportedOperation({ platform: PLATFORM, operation, reason: 'SERVER_DISABLED', detail, alternatives });
}
