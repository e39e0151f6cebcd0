import { expect, test } from 'vitest';
import { catalogue } from '#src/clients/catalogue.ts';
import { History } from '#src/clients/history/history.ts';
import { recorded } from '#src/clients/history/recorded.ts';
import type { TotalledEpisode } from '#src/clients/history/totals-by-period.ts';
import { emptyHistory } from '../../support/history.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const HOUR_MS = 3_600_000;

function episode(from: string, until: string, viewers = 10): TotalledEpisode {
  return { startedMs: Date.parse(from), endedMs: Date.parse(until), peak: { viewerCount: viewers }, average: { viewerCount: viewers / 2 } };
}

/** Rows as `2026-11-20 1 2h`. */
async function rowsOf(episodes: readonly TotalledEpisode[], options: Parameters<History['getTotals']>[1] = {}) {
  const clock = new ManualClock('2026-11-27T12:00:00Z');
  const asked: number[] = [];
  const totals = {
    list({ sinceMs }: { readonly sinceMs: number }) {
      asked.push(clock.nowMs() - sinceMs);
      return Promise.resolve(episodes.filter(({ endedMs }) => endedMs >= sinceMs));
    },
  };
  const history = new History({ platform: recorded({ ...emptyHistory, totals, catalogue, clock }), clock });
  const { items } = await history.getTotals('live', options);
  return { items, asked, rows: items.map(({ id, count, lengthMs }) => `${id} ${count} ${lengthMs / HOUR_MS}h`) };
}

test('an episode across midnight counts in the day of its start, and its length in both days', async () => {
  const { items } = await rowsOf([
    episode('2026-11-20T22:00:00Z', '2026-11-21T03:00:00Z', 30),
    episode('2026-11-21T10:00:00Z', '2026-11-21T11:00:00Z', 50),
  ]);

  expect(items).toEqual([
    {
      id: '2026-11-21',
      startsAt: new Date('2026-11-21T00:00:00Z'),
      count: 1,
      lengthMs: 4 * HOUR_MS,
      peak: { viewerCount: 50 },
      average: { viewerCount: (3 * 15 + 25) / 4 },
    },
    {
      id: '2026-11-20',
      startsAt: new Date('2026-11-20T00:00:00Z'),
      count: 1,
      lengthMs: 2 * HOUR_MS,
      peak: { viewerCount: 30 },
      average: { viewerCount: 15 },
    },
  ]);
});

test('an episode counts if its platform states a start after its last poll', async () => {
  expect((await rowsOf([episode('2026-11-20T10:00:02Z', '2026-11-20T10:00:00Z')])).rows).toEqual(['2026-11-20 1 0h']);
});

test('an episode that ends at midnight adds no row for the next day', async () => {
  expect((await rowsOf([episode('2026-11-20T22:00:00Z', '2026-11-21T00:00:00Z')])).rows).toEqual(['2026-11-20 1 2h']);
  expect((await rowsOf([episode('2026-11-21T00:00:00Z', '2026-11-21T00:00:00Z')])).rows).toEqual(['2026-11-21 1 0h']);
});

test('midnight is that of the time zone, also on the day of a clock change', async () => {
  const night = [episode('2026-10-24T21:00:00Z', '2026-10-25T23:30:00Z')];

  expect((await rowsOf(night, { timezone: 'Europe/Paris' })).rows).toEqual(['2026-10-26 0 0.5h', '2026-10-25 0 25h', '2026-10-24 1 1h']);
  await expect(rowsOf([], { timezone: 'Mars/Base' })).rejects.toMatchObject({ name: 'ValidationError' });
});

test('a row is a day, a week from Monday, or a month', async () => {
  const episodes = ['2026-10-31', '2026-11-01', '2026-11-02', '2026-11-08'].map((day) => episode(`${day}T10:00:00Z`, `${day}T11:00:00Z`));

  expect((await rowsOf(episodes, { by: 'day' })).rows).toEqual([
    '2026-11-08 1 1h',
    '2026-11-02 1 1h',
    '2026-11-01 1 1h',
    '2026-10-31 1 1h',
  ]);
  expect((await rowsOf(episodes, { by: 'week' })).rows).toEqual(['2026-11-02 2 2h', '2026-10-26 2 2h']);
  expect((await rowsOf(episodes, { by: 'month' })).rows).toEqual(['2026-11-01 3 3h', '2026-10-01 1 1h']);
});

test('`since` cuts the first row, and 400 days are the most', async () => {
  const long = [episode('2026-11-20T10:00:00Z', '2026-11-20T16:00:00Z')];

  expect((await rowsOf(long, { since: '2026-11-20T12:00:00Z' })).rows).toEqual(['2026-11-20 0 4h']);
  expect((await rowsOf([], { since: '7d' })).asked).toEqual([7 * 24 * HOUR_MS]);
  expect((await rowsOf([], { since: '900d' })).asked).toEqual([400 * 24 * HOUR_MS]);
  expect((await rowsOf([])).asked).toEqual([400 * 24 * HOUR_MS]);
});
