import { z } from 'zod';
import type { PageOptions } from '#src/clients/operation/platform.ts';
import type { Page } from '#src/clients/paging/page.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import type { AccountContext } from '../account-context.ts';
import { appUrl } from '../addresses.ts';
import type { Primitives } from '../errors.ts';
import { readFeed, readRows } from '../pages.ts';
import { readPostViews } from './post-views.ts';
import { anything, listOf, maybeCount, maybeText, shownRows } from '../wire/parts.ts';
import { PostView, toPost } from '../wire/post.ts';

type Timelines = Pick<Primitives, 'getHomeTimeline' | 'getMentions' | 'getBookmarks' | 'getPostNotifications' | 'getTrends'>;

/** The feed Discover, which the app shows to new accounts. */
const DISCOVER = 'at://did:plc:z72i7hdynmk6r22z27h6tvur/app.bsky.feed.generator/whats-hot';

const Notification = z.object({ uri: z.string(), reason: maybeText });
const Bookmark = z.object({ item: anything });
const Trend = z.object({ topic: z.string(), displayName: maybeText, link: maybeText, postCount: maybeCount, category: maybeText });
const MOST_TRENDS = 20;

/** Timelines, notifications, bookmarks and trends of the account. */
export function timelines(account: AccountContext, { forYouFeed = DISCOVER }: { readonly forYouFeed?: string | undefined }): Timelines {
  const { xrpc } = account;

  /** Notifications contain the addresses of posts only. */
  async function notified(reason: string, options: PageOptions): Promise<Page<Post>> {
    const source = { nsid: 'app.bsky.notification.listNotifications', rows: 'notifications', query: { reasons: [reason] } };
    const { rows, partialErrors, cursor, fetchedAt } = await readRows(account, source, Notification, options);
    // Some servers ignore the filter.
    const uris = rows.filter((row) => row.reason === reason).map(({ uri }) => uri);
    const views = await readPostViews(account, uris, options);
    const items = uris.flatMap((uri) => views.get(uri) ?? []).map((view) => toPost(view, fetchedAt));
    return { items, scanned: rows.length, partialErrors, cursor };
  }

  return {
    getHomeTimeline: ({ timelineType }, options) =>
      timelineType === 'HomeLatestTimeline'
        ? readFeed(account, { nsid: 'app.bsky.feed.getTimeline', rows: 'feed', query: {} }, options)
        : readFeed(account, { nsid: 'app.bsky.feed.getFeed', rows: 'feed', query: { feed: forYouFeed } }, options),

    getMentions: (_, options) => notified('mention', options),
    getPostNotifications: (_, options) => notified('subscribed-post', options),

    async getBookmarks(_, options) {
      const source = { nsid: 'app.bsky.bookmark.getBookmarks', rows: 'bookmarks', query: {} };
      const { rows, partialErrors, cursor, fetchedAt } = await readRows(account, source, Bookmark, options);
      // Bookmarks of deleted and hidden posts remain in the list.
      const shown = shownRows(PostView).parse(rows.map(({ item }) => item));
      const items = shown.rows.map((view) => toPost(view, fetchedAt));
      return { items, scanned: rows.length, partialErrors: [...partialErrors, ...shown.partialErrors], cursor };
    },

    async getTrends(_, { signal }) {
      const Trends = z.object({ trends: listOf(Trend, { isRequired: true }) });
      const { trends } = await xrpc.query('app.bsky.unspecced.getTrends', Trends, { limit: MOST_TRENDS }, { signal });
      return trends.slice(0, MOST_TRENDS).map(({ topic, displayName = topic, link, postCount, category }, index) => ({
        rank: index + 1,
        name: displayName,
        kind: displayName.startsWith('#') ? ('hashtag' as const) : ('topic' as const),
        url: link === undefined ? undefined : appUrl(link),
        postCount,
        category,
      }));
    },
  };
}
