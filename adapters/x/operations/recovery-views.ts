import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { type Fault, PlatformError } from '#src/errors.ts';
import type { CallOptions } from '#src/clients/operation/call.ts';
import { readPages } from '#src/clients/paging/read-pages.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import { WAYS } from '../auth/access.ts';
import { RefusedRequest } from '../auth/authorize.ts';
import { type Asking, readPosts } from '../pages.ts';
import { count, maybe, toSecond } from '../wire/parts.ts';
import type { UserRow } from '../wire/user.ts';
import type { PostReader } from './read-post.ts';
import { RECENT } from './search.ts';
import type { UserNames } from './users.ts';

const ROWS = 20;
/** The number of pages that are searched. */
const MOST_PAGES = 10;
/** Temporary faults, after which the view is read again later. Any other fault means that the account does not have the view. */
const PASSING: ReadonlySet<Fault> = new Set(['unreachable', 'unanswered', 'unavailable', 'rateLimited', 'malformed']);

const Count = z.object({ meta: maybe(z.object({ total_tweet_count: maybe(count), total_post_count: maybe(count) })) });

/** What the posts of a view do not show, because X refused the fields at its endpoint. */
export interface Lacking {
  readonly files: boolean;
  readonly references: boolean;
  readonly poll: boolean;
  readonly community: boolean;
  /** The addresses behind links. */
  readonly links: boolean;
  /** Texts that are too long for the field `text`. */
  readonly longTexts: boolean;
}

/** The names that show each of them, in both vocabularies. */
const SHOWN_BY: Readonly<Record<keyof Lacking, readonly string[]>> = {
  files: ['media.fields', 'media_key', 'type', 'attachments', 'attachments.media_keys'],
  references: ['referenced_posts', 'referenced_tweets', 'referenced_tweets.id'],
  poll: ['poll.fields', 'options', 'attachments', 'attachments.poll_ids'],
  community: ['community_id'],
  links: ['entities'],
  longTexts: ['note_post', 'note_tweet'],
};

/** The posts of the account in one view. */
export interface View {
  readonly posts: readonly Post[];
  /** Whether the view is complete. */
  readonly isWhole: boolean;
  readonly lacking: Lacking;
}

/** The views of the posts of the signed-in account. X updates them independently. A view that X refuses is undefined. */
export interface AccountViews {
  timeline(fromMs: number): Promise<View | undefined>;
  /** Undefined for a protected account. */
  search(fromMs: number): Promise<View | undefined>;
  /** The number of posts without reposts. */
  count(fromMs: number): Promise<number | undefined>;
}

const TIMELINE = '/2/users/:id/tweets';

interface ViewsOptions {
  readonly signal: AbortSignal | undefined;
  /** Called for a view that X refuses. */
  readonly onRefused?: ((error: PlatformError) => void) | undefined;
}

export function viewsOf({ api, onPost }: PostReader, me: UserRow, { signal, onRefused }: ViewsOptions): AccountViews {
  const query = `from:${me.id} -is:retweet`;

  async function read(asking: Asking): Promise<View | undefined> {
    const posts: Post[] = [];
    const readPage = (cursor: string | undefined) => readPosts({ api, onPost }, asking, { cursor, signal });
    const readAll = async (): Promise<boolean> => {
      for await (const { page, isEnd } of readPages(readPage, MOST_PAGES)) {
        posts.push(...page.items);
        if (page.partialErrors) return false;
        if (isEnd) return true;
      }
      return false;
    };
    const isWhole = await unlessRefused(readAll, onRefused);
    return isWhole === undefined ? undefined : { posts, isWhole, lacking: lackingAt(`GET ${asking.path}`) };
  }

  function lackingAt(endpoint: string): Lacking {
    const lacks = (about: keyof Lacking): boolean => api.lacks(endpoint, SHOWN_BY[about]);
    return {
      files: lacks('files'),
      references: lacks('references'),
      poll: lacks('poll'),
      community: lacks('community'),
      links: lacks('links'),
      longTexts: lacks('longTexts'),
    };
  }

  return {
    timeline(fromMs) {
      const from = { max_results: ROWS, start_time: toSecond(fromMs) };
      return read({ path: TIMELINE, params: { id: me.id }, ways: WAYS.user, query: from });
    },

    async search(fromMs) {
      if (me.protected) return undefined;
      return read({
        path: RECENT,
        query: { query, max_results: ROWS, start_time: toSecond(fromMs), sort_order: 'recency' },
        cursorName: 'next_token',
      });
    },

    async count(fromMs) {
      if (me.protected) return undefined;
      return unlessRefused(async () => {
        const asked = { query, start_time: toSecond(fromMs), granularity: 'hour' };
        const { answer } = await api.read(Count, { path: '/2/tweets/counts/recent', query: asked, ways: WAYS.token, signal });
        return answer.meta?.total_tweet_count ?? answer.meta?.total_post_count;
      }, onRefused);
    },
  };
}

/** The result of a read; undefined if X refuses it for good. A read without a valid sign-in is repeated after the next sign-in. */
export async function unlessRefused<T>(read: () => Promise<T>, onRefused?: (error: PlatformError) => void): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof PlatformError) || PASSING.has(error.fault)) throw error;
    if (error.fault === 'unauthorized' && !(error instanceof RefusedRequest)) throw error;
    onRefused?.(error);
    return undefined;
  }
}

/** Tries the reads that find a lost post, on the posts of the last minute. Resolves with the reasons of X for refused reads. */
export function recoveryProblems(reader: PostReader, names: UserNames, clock: Clock) {
  return async ({ signal }: CallOptions): Promise<readonly string[]> => {
    const problems: string[] = [];
    const views = viewsOf(reader, await names.me(signal), { signal, onRefused: ({ message }) => problems.push(message) });
    const fromMs = clock.nowMs() - LATEST_MS;
    await views.timeline(fromMs);
    await views.search(fromMs);
    await views.count(fromMs);
    return problems;
  };
}

const LATEST_MS = 60_000;
