import { fc } from '../../support/property.ts';
import { expect, test } from 'vitest';
import { newestFirst } from '#adapters/twitch/operations/clip-windows.ts';

const NOW_MS = Date.parse('2026-11-20T18:00:30Z');
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MOST = 1000;

interface Made {
  readonly id: string;
  readonly createdAt: Date;
  readonly views: number;
  readonly wanted: boolean;
}

/** Clusters of clips in the past: a thousand in an evening, or one in three years. */
const histories = fc
  .array(
    fc.record({
      agoMs: fc.integer({ min: 0, max: 1200 * DAY_MS }),
      overMs: fc.constantFrom(10 * MINUTE_MS, 300 * MINUTE_MS, 20 * DAY_MS, 400 * DAY_MS),
      count: fc.constantFrom(1, 7, 60, 250),
    }),
    { maxLength: 5 },
  )
  .map((crowds) =>
    crowds.flatMap(({ agoMs, overMs, count }, crowd) =>
      Array.from({ length: count }, (_, index): Made => {
        const madeMs = NOW_MS - agoMs - Math.floor((overMs * ((index * 7919) % count)) / count);
        // Some are exactly at the edge of two windows.
        const createdMs = index % 4 === 0 ? Math.floor(madeMs / MINUTE_MS) * MINUTE_MS : madeMs;
        return { id: `${crowd}-${index}`, createdAt: new Date(createdMs), views: (index * 31) % 97, wanted: index % 3 > 0 };
      }),
    ),
  );

/** The platform: most viewed first, pages of a hundred, whole minutes, at most a thousand. Its cursor may never end. */
function platformOf(clips: readonly Made[], endless: boolean) {
  return async (fromMs: number, toMs: number, after = '0') => {
    expect([fromMs % MINUTE_MS, toMs % MINUTE_MS]).toEqual([0, 0]);
    const inside = clips.filter(({ createdAt }) => createdAt.getTime() >= fromMs && createdAt.getTime() <= toMs);
    const list = inside.toSorted((a, b) => b.views - a.views).slice(0, MOST);
    const start = Number(after);
    const end = Math.min(list.length, start + 100);
    return { items: list.slice(start, end), cursor: end < list.length ? String(end) : endless ? after : undefined };
  };
}

test('an iteration returns every wanted clip once, newest first, each page within its budget', async () => {
  await fc.assert(
    fc.asyncProperty(histories, fc.boolean(), async (clips, endless) => {
      const platform = platformOf(clips, endless);
      const found: Made[] = [];
      let cursor: string | undefined;
      let pages = 0;

      do {
        let requests = 0;
        const page = await newestFirst<Made>({
          read: (fromMs, toMs, after) => {
            requests += 1;
            return platform(fromMs, toMs, after);
          },
          keep: ({ wanted }) => wanted,
          nowMs: NOW_MS + pages * 5000,
          requests: 10,
          most: MOST,
          cursor,
        });
        pages += 1;

        expect(requests).toBeLessThanOrEqual(10);
        expect(page.approximate === true).toBe(page.items.length < 100 && page.cursor !== undefined);
        found.push(...page.items);
        cursor = page.cursor;
      } while (cursor !== undefined);

      const wanted = clips.filter((clip) => clip.wanted);
      expect(found.map(({ createdAt }) => createdAt.getTime())).toEqual(
        wanted.map(({ createdAt }) => createdAt.getTime()).toSorted((a, b) => b - a),
      );
      expect(new Set(found.map(({ id }) => id))).toEqual(new Set(wanted.map(({ id }) => id)));
      expect(pages).toBeLessThan(100);
    }),
    { numRuns: 60 },
  );
});

test('a minute with too many clips is approximate, and the iteration continues after it', async () => {
  const crowd = Array.from({ length: 1500 }, (_, index): Made => {
    return { id: `c${index}`, createdAt: new Date(NOW_MS - 1000 - index), views: index, wanted: true };
  });
  const older: Made = { id: 'older', createdAt: new Date(NOW_MS - DAY_MS), views: 1, wanted: true };
  const read = platformOf([...crowd, older], false);
  const ids: string[] = [];
  let approximate = false;
  let cursor: string | undefined;

  do {
    const page = await newestFirst<Made>({ read, keep: () => true, nowMs: NOW_MS, requests: 10, most: MOST, cursor });
    ids.push(...page.items.map(({ id }) => id));
    if (page.items.length >= MOST) approximate = page.approximate === true;
    cursor = page.cursor;
  } while (cursor !== undefined);

  expect(approximate).toBe(true);
  expect(ids.length).toBe(1001);
  expect(ids.at(-1)).toBe('older');
});
