import type { CallOptions } from '#src/clients/operation/call.ts';
import type { PrimitivesOf } from '#src/clients/social/social.ts';
import type * as topic from '#src/clients/social/users.ts';
import { isFault } from '#src/http/errors.ts';
import { type AccountContext, unknownUser } from '../account-context.ts';
import { failure } from '../errors.ts';
import { readFeed, readRows, readUsers, type Source } from '../pages.ts';
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

    getPosts: async ({ user, replies }, options) =>
      readFeed(account, authorFeed(user, replies ? 'posts_with_replies' : 'posts_no_replies'), options),
    getUserMedia: async ({ user }, options) => readFeed(account, authorFeed(user, 'posts_with_media'), options),

    async getUserHighlights({ user }, { signal }) {
      const { nsid, rows, query } = authorFeed(user, 'posts_and_author_threads');
      const source = { nsid, rows, query: { ...query, includePins: true, limit: 1 } };
      const { rows: feed, fetchedAt } = await readRows(account, source, FeedPost, { signal });
      return { items: feed.filter(isPinned).map((row) => fromFeed(row, fetchedAt)), approximate: true };
    },

    getUserFollowers: async ({ user }, options) => readUsers(account, graph('getFollowers', 'followers', user), options),
    getUserFollowings: async ({ user }, options) => readUsers(account, graph('getFollows', 'follows', user), options),
    getMutualFollowers: async ({ user }, options) => readUsers(account, graph('getKnownFollowers', 'followers', user), options),
    getBlockedUsers: (_, options) => readUsers(account, { nsid: 'app.bsky.graph.getBlocks', rows: 'blocks', query: {} }, options),

    async getSuggestedUsers(_, { signal }) {
      const { items } = await readUsers(account, { nsid: 'app.bsky.actor.getSuggestions', rows: 'actors', query: {} }, { signal });
      return [...items];
    },
  };
}
