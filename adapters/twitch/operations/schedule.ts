import type { Clock } from '#src/clock.ts';
import { ignoreFaults } from '#src/http/errors.ts';
import { readPages } from '#src/clients/paging/read-pages.ts';
import type { PartialError } from '#src/clients/paging/page.ts';
import type { ScheduledStream } from '#src/clients/streaming/records.ts';
import type { Helix, Primitives } from '../client.ts';
import { ScheduleRows } from '../wire/schedule.ts';
import type { UserNames } from './users.ts';

const DAY_MS = 24 * 3600 * 1000;
/** The most segments of a response. */
const MOST_SEGMENTS = 25;

/** The next streams of a channel as one page. The list of Twitch has no end, because it repeats recurring streams. */
export function schedule(helix: Helix, names: UserNames, clock: Clock): Primitives['getSchedule'] {
  return async ({ user, days }, { signal }) => {
    const query = { broadcaster_id: await names.idOf(user, signal), first: MOST_SEGMENTS };
    const nowMs = clock.nowMs();
    const found = new Map<string, ScheduledStream>();
    const partialErrors: PartialError[] = [];
    let approximate = false;
    // Twitch answers 404 if the channel has no schedule.
    const read = (cursor: string | undefined) =>
      ignoreFaults(helix.list('/schedule', ScheduleRows, query, { cursor, signal }), 'missing').then(
        (page) => page ?? { rows: [], partialErrors: [], cursor: undefined, fetchedAt: new Date(nowMs) },
      );
    for await (const { page, isEnd } of readPages(read, helix.pageRequests)) {
      partialErrors.push(...page.partialErrors);
      for (const row of page.rows) found.set(row.id, { ...row, fetchedAt: page.fetchedAt });
      const last = page.rows.at(-1);
      approximate = !isEnd;
      if (!last || last.startsAt.getTime() > nowMs + days * DAY_MS) {
        approximate = false;
        break;
      }
    }
    const isNext = ({ startsAt }: ScheduledStream): boolean => startsAt.getTime() > nowMs && startsAt.getTime() <= nowMs + days * DAY_MS;
    const items = [...found.values()].filter(isNext).toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime());
    return { items, partialErrors, scanned: found.size, approximate };
  };
}
