import { z } from 'zod';
import { UnsupportedParameter } from '#src/errors.ts';
import type { PageOptions } from '#src/clients/operation/platform.ts';
import type { Page } from '#src/clients/paging/page.ts';
import { HOME_TIMELINE_TYPE_FOLLOWING, HOME_TIMELINE_TYPE_FOR_YOU } from '#src/clients/social/enumerations.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import { isFault } from '#src/http/errors.ts';
import { MOST } from '../client.ts';
import type { AccountContext, Primitives } from '../account-context.ts';
import { PLATFORM, rowsOf, text } from '../wire/parts.ts';
import { postCountOf, StatusRow, TagRow, toPost } from '../wire/status.ts';
import { unsupportedByServer } from './users.ts';

type Timelines = Pick<Primitives, 'getHomeTimeline' | 'getMentions' | 'getPostNotifications' | 'getBookmarks' | 'getTrends'>;

const TRENDS = 20;
const NotificationRow = z.object({ type: text, status: StatusRow.nullish().catch(undefined) });

/** Timelines, notifications, bookmarks and trends of the signed-in account. */
export function timelinesOperations({ api, statuses }: AccountContext): Timelines {
  /** The posts of notifications of one kind. */
  async function notified(kind: string, options: PageOptions): Promise<Page<Post>> {
    const request = { path: '/api/v1/notifications', query: { 'types[]': [kind], limit: MOST.notifications }, scope: 'read:notifications' };
    const { rows, partialErrors, cursor, fetchedAt } = await api.page(request, NotificationRow, options);
    // Some servers ignore the filter.
    const items = rows.flatMap(({ type, status }) => (type === kind && status ? [toPost(status, fetchedAt)] : []));
    return { items, partialErrors, cursor, scanned: rows.length };
  }

  return {
    async getHomeTimeline({ timelineType }, options) {
      if (timelineType === HOME_TIMELINE_TYPE_FOLLOWING) return statuses.page('/api/v1/timelines/home', {}, options);
      try {
        return await statuses.page('/api/v1/trends/statuses', {}, options);
      } catch (error) {
        if (!isFault(error, 'missing')) throw error;
        throw new UnsupportedParameter({
          platform: PLATFORM,
          operation: 'getHomeTimeline',
          parameter: 'timelineType',
          value: HOME_TIMELINE_TYPE_FOR_YOU,
          reason: 'SERVER_DISABLED',
          detail: 'This server has no trends.',
          alternatives: [HOME_TIMELINE_TYPE_FOLLOWING],
        });
      }
    },

    getMentions: (_, options) => notified('mention', options),
    getPostNotifications: (_, options) => notified('status', options),
    getBookmarks: (_, options) => statuses.page('/api/v1/bookmarks', {}, { ...options, scope: 'read:bookmarks' }),

    async getTrends(_, { signal }) {
      const response = await api.send({ path: '/api/v1/trends/tags', query: { limit: TRENDS }, signal }).catch((error: unknown) => {
        throw isFault(error, 'missing') ? unsupportedByServer('getTrends', 'This server has no trends.') : error;
      });
      return response
        .json(rowsOf(TagRow))
        .map((tag, index) => ({ rank: index + 1, name: `#${tag.name}`, kind: 'hashtag', url: tag.url, postCount: postCountOf(tag) }));
    },
  };
}
