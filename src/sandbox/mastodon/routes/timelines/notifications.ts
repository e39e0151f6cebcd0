import type { JsonObject } from '#src/operation/json.ts';
import { toAccount } from '../../entities/account.ts';
import { toStatus } from '../../entities/status.ts';
import { noticesFor, personOf, placeOfNotice, type Notice } from '../../posts/notices.ts';
import { recordNotFound } from '../../refusal.ts';
import { ACCOUNTS, boundsOf, cutByPlace } from '../../requests/paging.ts';
import { json, page, type UserVisit } from '../../visit.ts';
import { signedIn, type Routes } from '../api.ts';

const MOST_COUNTED = 100;

/** `/api/v1/notifications`: what the viewer hears of. */
export function notificationRoutes(routes: Routes): void {
  routes.get(
    '/v1/notifications',
    signedIn('read:notifications', (found) => {
      const { ids } = found.ground;
      const cut = cutByPlace(wantedNotices(found), {
        bounds: boundsOf(found.fields, ACCOUNTS),
        placeOf: placeOfNotice,
        spelling: ids,
        repeats: found.fields.has('max_id') && found.fault('repeatedItem') !== undefined,
      });
      return page(found, { ...cut, items: cut.items.map((notice) => toNotification(notice, found)).filter((one) => one !== undefined) });
    }),
  );

  routes.get(
    '/v1/notifications/unread_count',
    signedIn('read:notifications', (found) => json(found, { count: Math.min(wantedNotices(found).length, MOST_COUNTED) })),
  );

  routes.get(
    '/v1/notifications/:id{[0-9A-Z]+}',
    signedIn('read:notifications', (found, c) => {
      const notification = toNotification(requireNotice(c.req.param('id') ?? '', found), found);
      if (!notification) throw recordNotFound();
      return json(found, notification);
    }),
  );

  routes.post(
    '/v1/notifications/clear',
    signedIn('write:notifications', (found) => {
      found.ground.marks.set({ kind: 'cleared', userId: found.viewer.id, target: 'all', atMs: found.moment.now.getTime() });
      return json(found, {});
    }),
  );

  routes.post(
    '/v1/notifications/:id/dismiss',
    signedIn('write:notifications', (found, c) => {
      const notice = requireNotice(c.req.param('id') ?? '', found);
      const target = String(placeOfNotice(notice));
      found.ground.marks.set({ kind: 'dismissed', userId: found.viewer.id, target, atMs: found.moment.now.getTime() });
      return json(found, {});
    }),
  );
}

/** Those of the types and of the account that are asked for. */
export function wantedNotices(found: UserVisit): readonly Notice[] {
  const { fields, ground } = found;
  const [types, without] = [new Set(fields.texts('types')), new Set(fields.texts('exclude_types'))];
  const from = fields.text('account_id');
  return noticesFor(found).filter(
    ({ type, fromId }) =>
      (types.size === 0 || types.has(type)) && !without.has(type) && (from === undefined || ground.ids.account(fromId) === from),
  );
}

function requireNotice(id: string, found: UserVisit): Notice {
  const place = found.ground.ids.read(id);
  const notice = noticesFor(found).find((one) => placeOfNotice(one) === place);
  if (!notice) throw recordNotFound();
  return notice;
}

function toNotification(notice: Notice, found: UserVisit): JsonObject | undefined {
  const { ids } = found.ground;
  const person = personOf(notice, found);
  if (!person) return undefined;
  const id = ids.write(placeOfNotice(notice));
  return {
    id,
    type: notice.type,
    created_at: new Date(notice.atMs).toISOString(),
    group_key: `ungrouped-${id}`,
    account: toAccount(person, found),
    ...(notice.post && { status: toStatus(notice.post, found) }),
  };
}
