import type { CallOptions } from '#src/clients/operation/call.ts';
import type { Page } from '#src/clients/paging/page.ts';
import type { PrimitivesOf } from '#src/clients/social/social.ts';
import type * as topic from '#src/clients/social/users.ts';
import { isFault } from '#src/http/errors.ts';
import { type AccountContext, unknownUser } from '../account-context.ts';
import { failure } from '../errors.ts';
import { readFeed, readPage, readUsers, type Source } from '../pages.ts';
import { readProfile, readProfiles } from './profiles.ts';
import { FeedPost, fromFeed, isPinned } from '../wire/post.ts';
import { toUser } from '../wire/profile.ts';

type Users = Omit<PrimitivesOf<typeof topic>, 'getUserSubscribers'>;

/** Users and their posts. */
export function users(account: AccountContext): Users {
  const { xrpc, names, now } = account;

  function authorFeed(user: string, filter: string): Source {
    return { nsid: 'app.bsky.feed.getAuthorFeed', rows: 'feed', query: { actor: names.actor(user), filter } };
  }

  function graph(name: string, rows: string, user: string): Source {
    return { nsid: `app.bsky.graph.${name}`, rows, query: { actor: names.actor(user) } };
  }

  /** One page of a list of a user. Only a profile tells whether the account is suspended: its lists are empty or missing. */
  async function ofUser<T>(user: string, reading: Promise<Page<T>>, options: CallOptions): Promise<Page<T>> {
    const page = await reading.catch(async (error: unknown) => {
      if (isFault(error, 'missing')) await readProfile(account, user, options);
      throw error;
    });
    if (page.items.length === 0 && page.cursor === undefined) await readProfile(account, user, options);
    return page;
  }

  /** The profile of the account. If it is missing, the cause is not a wrong name. */
  async function accountProfile(options: CallOptions) {
    const { did, handle, pds } = await xrpc.session(options.signal);
    return readProfile(account, did, options).catch((error: unknown) => {
      if (!isFault(error, 'missing')) throw error;
      const remedy = 'check whether the account is on this server, and whether it is deactivated or taken down';
      throw failure('missing', `${pds} has no account ${handle}: ${remedy}.`, error);
    });
  }

  return {
    async getUserInfo({ user }, options) {
      if (user === undefined) return toUser(await accountProfile(options), now());
      if (!Array.isArray(user)) return toUser(await readProfile(account, user, options), now());
      const found = await readProfiles(
        account,
        user.map((one) => names.actor(one)),
        options,
      );
      return found.map((one, index) => {
        if (!one) throw unknownUser(user[index] ?? '');
        return one;
      });
    },

    getUserId: ({ user }, { signal }) => names.didOf(user, signal),

    getPosts: async ({ user, replies }, options) => {
      const source = authorFeed(user, replies ? 'posts_with_replies' : 'posts_no_replies');
      return ofUser(user, readFeed(account, source, options), options);
    },
    getUserMedia: async ({ user }, options) => ofUser(user, readFeed(account, authorFeed(user, 'posts_with_media'), options), options),

    async getUserHighlights({ user }, { signal }) {
      const { nsid, rows, query } = authorFeed(user, 'posts_and_author_threads');
      const source = { nsid, rows, query: { ...query, includePins: true, limit: 1 } };
      const reading = readPage(account, source, FeedPost, (row, fetchedAt) => ({ row, fetchedAt }), { signal });
      const { items } = await ofUser(user, reading, { signal });
      return { items: items.filter(({ row }) => isPinned(row)).map(({ row, fetchedAt }) => fromFeed(row, fetchedAt)), approximate: true };
    },

    getUserFollowers: async ({ user }, options) =>
      ofUser(user, readUsers(account, graph('getFollowers', 'followers', user), options), options),
    getUserFollowings: async ({ user }, options) =>
      ofUser(user, readUsers(account, graph('getFollows', 'follows', user), options), options),
    getMutualFollowers: async ({ user }, options) =>
      ofUser(user, readUsers(account, graph('getKnownFollowers', 'followers', user), options), options),
    getBlockedUsers: (_, options) => readUsers(account, { nsid: 'app.bsky.graph.getBlocks', rows: 'blocks', query: {} }, options),

    async getSuggestedUsers(_, { signal }) {
      const { items } = await readUsers(account, { nsid: 'app.bsky.actor.getSuggestions', rows: 'actors', query: {} }, { signal });
      return [...items];
    },
  };
}
