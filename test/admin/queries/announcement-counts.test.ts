import { expect, test } from 'vitest';
import { createAnnouncementCounts } from '#src/admin/queries/announcement-counts.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const NOW_MS = Date.parse('2026-11-20T18:00:00Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Counts over a list of announcements that a test extends. */
function open(announced: { readonly rule: string; readonly atMs: number }[], withinMs = Infinity) {
  const clock = new ManualClock(NOW_MS);
  let read = 0;
  const deliveryLog = {
    async announcements({ fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number }) {
      const found = announced.filter(({ atMs }) => atMs >= fromMs && atMs < untilMs);
      read += found.length;
      return new Map([...Map.groupBy(found, ({ rule }) => rule)].map(([rule, all]) => [rule, all.length]));
    },
  };
  return { clock, counts: createAnnouncementCounts({ deliveryLog, clock, withinMs }), readRows: () => read };
}

test('the announcements of seven days in UTC are counted by rule', async () => {
  const ago = (ms: number, rule = 'live') => ({ rule, atMs: NOW_MS - ms });
  const { counts } = open([ago(0), ago(1), ago(18 * HOUR_MS), ago(18 * HOUR_MS + 1), ago(6 * DAY_MS), ago(7 * DAY_MS), ago(1, 'other')]);

  expect(await counts.of(['live', 'none'])).toEqual(
    new Map([
      ['live', [1, 0, 0, 0, 0, 1, 3]],
      ['none', [0, 0, 0, 0, 0, 0, 0]],
    ]),
  );
});

test('new and late announcements are counted, and old ones are read once', async () => {
  const announced = [0, 2, 30, 60, 100].map((hours) => ({ rule: 'live', atMs: NOW_MS - hours * HOUR_MS }));
  const { clock, counts, readRows } = open(announced);
  await counts.of(['live']);
  const first = readRows();

  announced.push({ rule: 'live', atMs: NOW_MS - HOUR_MS / 2 }, { rule: 'live', atMs: NOW_MS + HOUR_MS });
  clock.set(NOW_MS + 2 * HOUR_MS);

  expect((await counts.of(['live'])).get('live')).toEqual([0, 0, 1, 0, 1, 1, 4]);
  expect(first).toBe(5);
  expect(readRows() - first).toBe(3);
});

test('at midnight in UTC, a new day begins', async () => {
  const { clock, counts } = open([{ rule: 'live', atMs: NOW_MS }]);
  await counts.of(['live']);

  clock.set(NOW_MS + 6 * HOUR_MS);

  expect((await counts.of(['live'])).get('live')).toEqual([0, 0, 0, 0, 0, 1, 0]);
  clock.set(NOW_MS + 6 * DAY_MS + 6 * HOUR_MS);
  expect((await counts.of(['live'])).get('live')).toEqual([0, 0, 0, 0, 0, 0, 0]);
});

test('requests at the same time count once', async () => {
  const { counts } = open([{ rule: 'live', atMs: NOW_MS - 3 * HOUR_MS }]);

  const both = await Promise.all([counts.of(['live']), counts.of(['live'])]);

  expect(both.map((one) => one.get('live')?.at(-1))).toEqual([1, 1]);
});

test('a failed count is repeated', async () => {
  const { clock } = open([]);
  let isLost = true;
  const deliveryLog = {
    announcements: () => (isLost ? Promise.reject(new Error('lost')) : Promise.resolve(new Map([['live', 1]]))),
  };
  const counts = createAnnouncementCounts({ deliveryLog, clock });

  await expect(counts.of(['live'])).rejects.toThrow('lost');
  isLost = false;

  expect((await counts.of(['live'])).get('live')).toHaveLength(7);
});

test('without time, the oldest days are absent', async () => {
  const { counts } = open([{ rule: 'live', atMs: NOW_MS }], 0);

  expect((await counts.of(['live'])).get('live')).toEqual([]);
});
