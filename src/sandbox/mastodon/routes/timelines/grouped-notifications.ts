import type { JsonObject } from '#src/operation/json.ts';
import { toStatus } from '../../entities/status.ts';
import { placeOfNotice, type Notice, type NoticeType } from '../../posts/notices.ts';
import { ACCOUNTS, boundsOf, cutByPlace } from '../../requests/paging.ts';
import { json, withLinks, type UserVisit } from '../../visit.ts';
import { accountsOf } from '../listings.ts';
import { nowhere, signedIn, type Routes } from '../api.ts';
import { wantedNotices } from './notifications.ts';

/** What is told together where many did it. */
const GROUPED: ReadonlySet<NoticeType> = new Set(['favourite', 'reblog', 'follow']);
const SAMPLE = 8;

interface Group {
  readonly key: string;
  /** Newest first. */
  readonly notices: readonly Notice[];
}

/** `GET /api/v2/notifications`: what the viewer hears of, the same of many people told once. */
export function groupedNotificationRoutes(routes: Routes): void {
  routes.get(
    '/v2/notifications',
    signedIn('read:notifications', (found) => {
      if (!found.ground.settings.features.hasGroupedNotifications) return nowhere(found.ground);
      const cut = cutByPlace(groupsOf(found), {
        bounds: boundsOf(found.fields, ACCOUNTS),
        placeOf: ({ notices }) => placeOfNotice(latestOf(notices)),
        spelling: found.ground.ids,
      });
      const notices = cut.items.flatMap((group) => group.notices);
      const posts = new Map(notices.flatMap(({ post }) => (post ? [[post.id, post] as const] : [])));
      const answer = json(found, {
        accounts: accountsOf([...new Set(notices.map(({ fromId }) => fromId))], found),
        statuses: [...posts.values()].map((post) => toStatus(post, found)),
        notification_groups: cut.items.map((group) => toGroup(group, found)),
      });
      return withLinks(found, answer, cut);
    }),
  );
}

function groupsOf(found: UserVisit): readonly Group[] {
  const sorted = wantedNotices(found).toSorted((a, b) => (placeOfNotice(a) < placeOfNotice(b) ? 1 : -1));
  const wanted = new Set(found.fields.texts('grouped_types'));
  const isGrouped = ({ type }: Notice): boolean => GROUPED.has(type) && (wanted.size === 0 || wanted.has(type));
  const keyOf = (notice: Notice): string => {
    if (!isGrouped(notice)) return `ungrouped-${found.ground.ids.write(placeOfNotice(notice))}`;
    return [notice.type, ...(notice.post ? [found.ground.ids.status(notice.post)] : [])].join('-');
  };
  return [...Map.groupBy(sorted, keyOf)].map(([key, notices]) => ({ key, notices }));
}

function toGroup({ key, notices }: Group, { ground: { ids } }: UserVisit): JsonObject {
  const latest = latestOf(notices);
  const oldest = notices.at(-1) ?? latest;
  return {
    group_key: key,
    notifications_count: notices.length,
    type: latest.type,
    most_recent_notification_id: ids.write(placeOfNotice(latest)),
    page_min_id: ids.write(placeOfNotice(oldest)),
    page_max_id: ids.write(placeOfNotice(latest)),
    latest_page_notification_at: new Date(latest.atMs).toISOString(),
    sample_account_ids: [...new Set(notices.map(({ fromId }) => ids.account(fromId)))].slice(0, SAMPLE),
    ...(latest.post && { status_id: ids.status(latest.post) }),
  };
}

function latestOf([latest]: readonly Notice[]): Notice {
  if (!latest) throw new Error('a group of notifications has nothing in it');
  return latest;
}
