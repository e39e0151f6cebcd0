import { z } from 'zod';
import { readRows, type ReadRows } from '#src/http/lenient.ts';
import type { PageOptions } from '#src/clients/operation/platform.ts';
import type { Page } from '#src/clients/paging/page.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import type { User } from '#src/clients/social/records/user.ts';
import { ignoreFaults } from '#src/http/errors.ts';
import { MOST } from '../client.ts';
import type { AccountContext, Primitives } from '../account-context.ts';
import { AccountRow } from '../wire/account.ts';
import { PLATFORM } from '../wire/parts.ts';
import { postCountOf, StatusRow, TagRow, toPost } from '../wire/status.ts';
import { unsupportedByServer } from './users.ts';

type Topics = Pick<Primitives, 'getTopic' | 'getTopicPosts'>;

/** A path with a hashtag, which may have `#` in front. */
function tagPath(list: string, tag: string): string {
  return `/api/v1/${list}/${encodeURIComponent(tag.replace(/^[#＃]/u, ''))}`;
}

/** Hashtags. */
export function topicsOperations({ api, statuses }: AccountContext): Topics {
  return {
    async getTopic({ topic }, { signal }) {
      const response = await api.send({ path: tagPath('tags', topic), scope: 'read', signal });
      const tag = response.json(TagRow);
      return {
        platform: PLATFORM,
        id: tag.name,
        url: tag.url,
        kind: 'hashtag',
        name: `#${tag.name}`,
        postCount: postCountOf(tag),
        fetchedAt: api.now(),
      };
    },

    async getTopicPosts({ topic, replies }, options) {
      const page = await statuses.page(tagPath('timelines/tag', topic), {}, options);
      if (replies) return page;
      return { ...page, items: page.items.filter(({ replyTo }) => !replyTo), scanned: page.rows.length };
    },
  };
}

const SCOPE = 'read:search';
const DAY_MS = 86_400_000;
const FoundAccounts = z.object({ accounts: readRows(AccountRow, { isRequired: true }) }).transform(({ accounts }) => accounts);
const FoundStatuses = z.object({ statuses: readRows(StatusRow, { isRequired: true }) }).transform(({ statuses }) => statuses);

/** Search for posts and users. */
export function searchOperations(context: AccountContext): Pick<Primitives, 'search'> {
  const { api, accounts, statuses } = context;
  const finds = findsPosts(context);

  async function ask<T>(
    q: string,
    type: 'accounts' | 'statuses',
    answer: z.ZodType<ReadRows<T>>,
    { cursor = '0', signal }: PageOptions,
  ): Promise<ReadRows<T> & { readonly cursor: string | undefined }> {
    const query = { q, type, limit: MOST.statuses, offset: cursor };
    const found = (await api.send({ path: '/api/v2/search', query, scope: SCOPE, signal })).json(answer);
    const length = found.rows.length + found.partialErrors.length;
    return { ...found, cursor: length < MOST.statuses ? undefined : String(Number(cursor) + length) };
  }

  async function users(keyword: string, options: PageOptions): Promise<Page<User>> {
    const { rows, ...page } = await ask(keyword, 'accounts', FoundAccounts, options);
    return { items: await accounts.toUsers(rows, options.signal), ...page };
  }

  async function posts(keyword: string, options: PageOptions): Promise<Page<Post>> {
    const { rows, ...page } = await ask(keyword, 'statuses', FoundStatuses, options);
    if (rows.length === 0 && options.cursor === undefined && !(await finds(options.signal))) {
      throw unsupportedByServer('search', 'This server has no search for the text of posts.', [
        'search for a #hashtag',
        'search with the filter People',
      ]);
    }
    const fetchedAt = api.now();
    return { items: rows.map((row) => toPost(row, fetchedAt)), ...page };
  }

  return {
    async search({ keyword, filter }, options) {
      if (filter === 'People') return users(keyword, options);
      const isMedia = filter === 'Media';
      if (/^[#＃][\p{L}\p{M}\p{N}_·・\u200C]+$/u.test(keyword)) {
        return statuses.page(tagPath('timelines/tag', keyword), isMedia ? { only_media: true } : {}, options);
      }
      const page = await posts(isMedia ? `${keyword} has:media` : keyword, options);
      return isMedia ? { ...page, items: page.items.filter(({ media }) => media.length > 0), scanned: page.items.length } : page;
    },
  };
}

/**
 * Whether the server searches the text of posts; checked once a day, and only after an empty result.
 *
 * Servers do not state it. Without a text search, even a search for the posts of the account is empty.
 */
function findsPosts({ api, accounts, instances }: AccountContext): (signal: AbortSignal | undefined) => Promise<boolean> {
  let known: { readonly finds: boolean; readonly untilMs: number } | undefined;

  async function ask(signal: AbortSignal | undefined): Promise<boolean> {
    const { isMastodon, version } = await instances.current(signal);
    const [major = 0, minor = 0] = version.split('.').map(Number);
    const findsFromMe = isMastodon && (major > 4 || (major === 4 && minor >= 2));
    if (!findsFromMe || ((await accounts.readMe(signal)).postCount ?? 0) === 0) return true;
    const query = { q: 'from:me', type: 'statuses', limit: 1 };
    const response = await ignoreFaults(api.send({ path: '/api/v2/search', query, scope: SCOPE, signal }), 'missing', 'rejected');
    return response === undefined || response.json(FoundStatuses).rows.length > 0;
  }

  return async (signal) => {
    const nowMs = api.now().getTime();
    if (!known || nowMs > known.untilMs) known = { finds: await ask(signal), untilMs: nowMs + DAY_MS };
    return known.finds;
  };
}
