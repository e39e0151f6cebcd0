import { placeOfScheduled, toScheduledStatus } from '../../entities/scheduled-status.ts';
import { toStatus } from '../../entities/status.ts';
import { SCHEDULE } from '../../posts/bounds.ts';
import { publish } from '../../posts/publishing.ts';
import { readDraft, readInstant } from '../../posts/reading-drafts.ts';
import type { ScheduledStatus } from '../../posts/scheduled.ts';
import { invalid, recordNotFound } from '../../refusal.ts';
import { STATUSES, boundsOf, cutByPlace } from '../../requests/paging.ts';
import { anew, json, page, spend, type UserVisit } from '../../visit.ts';
import { signedIn, type Routes } from '../api.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** `POST /api/v1/statuses`, for now and for later, and what waits. */
export function creatingRoutes(routes: Routes): void {
  routes.post(
    '/v1/statuses',
    signedIn('write:statuses', (found, c) => {
      const key = c.req.header('idempotency-key');
      const earlier = key === undefined ? undefined : earlierWith(key, found);
      if (earlier) return earlier;
      const draft = readDraft(found);
      const nowMs = found.moment.now.getTime();
      const dueAtMs = readInstant(found.fields.text('scheduled_at'), nowMs);
      if (dueAtMs !== undefined) {
        checkSchedule(dueAtMs, found);
        const scheduled = found.ground.scheduled.add({ draft, writtenAtMs: nowMs, dueAtMs, key });
        found.ground.files.attach(draft.mediaIds, heldBy(scheduled));
        return json(found, toScheduledStatus(scheduled, found));
      }
      spend(found, 'statuses', found.viewer.id);
      const visibleAtMs = nowMs + (found.fault('delayedVisibility')?.ms ?? 0);
      const post = publish(draft, { atMs: nowMs, visibleAtMs, key }, found.ground);
      return json(found, toStatus(post, anew(found)));
    }),
  );

  routes.get(
    '/v1/scheduled_statuses',
    signedIn('read:statuses', (found) => {
      const { ids } = found.ground;
      const cut = cutByPlace(found.ground.scheduled.waiting(found.viewer.id), {
        bounds: boundsOf(found.fields, STATUSES),
        placeOf: placeOfScheduled,
        spelling: ids,
      });
      return page(found, { ...cut, items: cut.items.map((scheduled) => toScheduledStatus(scheduled, found)) });
    }),
  );

  routes.get(
    '/v1/scheduled_statuses/:id',
    signedIn('read:statuses', (found, c) => json(found, toScheduledStatus(requireScheduled(c.req.param('id') ?? '', found), found))),
  );

  routes.put(
    '/v1/scheduled_statuses/:id',
    signedIn('write:statuses', (found, c) => {
      const scheduled = requireScheduled(c.req.param('id') ?? '', found);
      const dueAtMs = readInstant(found.fields.text('scheduled_at'), found.moment.now.getTime());
      if (dueAtMs === undefined) throw invalid('scheduledTooSoon');
      checkSchedule(dueAtMs, found, scheduled);
      const changed = { ...scheduled, dueAtMs };
      found.ground.scheduled.put(changed);
      return json(found, toScheduledStatus(changed, found));
    }),
  );

  routes.delete(
    '/v1/scheduled_statuses/:id',
    signedIn('write:statuses', (found, c) => {
      const scheduled = requireScheduled(c.req.param('id') ?? '', found);
      found.ground.scheduled.put({ ...scheduled, isGone: true });
      found.ground.files.attach(scheduled.draft.mediaIds, undefined);
      return json(found, {});
    }),
  );
}

/** The answer to what was sent with the same key within an hour; one that is gone since is not found. */
function earlierWith(key: string, found: UserVisit): Response | undefined {
  const { ground, viewer, written, moment } = found;
  if (!ground.settings.features.heedsIdempotencyKeys || found.fault('ignoreKey')) return undefined;
  const sinceMs = moment.now.getTime() - HOUR_MS;
  const post = written.all().findLast((one) => one.authorId === viewer.id && one.key === key && one.createdAtMs > sinceMs);
  if (post?.deletedAtMs !== undefined) throw recordNotFound();
  if (post) return json(found, toStatus(post, found));
  const scheduled = ground.scheduled
    .all()
    .findLast((one) => one.draft.authorId === viewer.id && one.key === key && one.writtenAtMs > sinceMs);
  if (scheduled?.isGone) throw recordNotFound();
  return scheduled && json(found, toScheduledStatus(scheduled, found));
}

/** What a file is attached to while its post waits. */
function heldBy({ number }: ScheduledStatus): string {
  return `scheduled ${number}`;
}

function checkSchedule(dueAtMs: number, { ground, viewer, moment }: UserVisit, but?: ScheduledStatus): void {
  if (dueAtMs <= moment.now.getTime() + SCHEDULE.leastAheadMs) throw invalid('scheduledTooSoon');
  const waiting = ground.scheduled.waiting(viewer.id).filter(({ number }) => number !== but?.number);
  if (waiting.length >= SCHEDULE.mostInAll) throw invalid('scheduledTotal', SCHEDULE.mostInAll);
  const day = Math.floor(dueAtMs / DAY_MS);
  const thatDay = waiting.filter((one) => Math.floor(one.dueAtMs / DAY_MS) === day);
  if (thatDay.length >= SCHEDULE.mostADay) throw invalid('scheduledDaily', SCHEDULE.mostADay);
}

function requireScheduled(id: string, { ground, viewer }: UserVisit): ScheduledStatus {
  const scheduled = ground.scheduled.waiting(viewer.id).find((one) => ground.ids.write(placeOfScheduled(one)) === id);
  if (!scheduled) throw recordNotFound();
  return scheduled;
}
