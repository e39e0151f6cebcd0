import { expect, test } from 'vitest';
import type { Episode } from '#src/web/client/records.ts';
import { lastInstantOf, partsOf } from '#src/web/views/episode-parts.ts';

const START_MS = Date.parse('2026-11-20T18:00:00Z');
const at = (minute: number): string => new Date(START_MS + minute * 60_000).toISOString();

const seen: Episode = {
  id: 'e',
  key: 'k',
  name: 'Ada',
  phase: 'open',
  startedAt: at(0),
  firstSeenAt: at(1),
  lastSeenAt: at(9),
  announced: true,
};

test.for<readonly [string, Partial<Episode>, string]>([
  ['that waits', { phase: 'pending', announced: false }, 'waiting 1-9'],
  ['that is open at once', { openedAt: at(1) }, 'open 1-9'],
  ['that waited', { openedAt: at(3) }, 'waiting 1-3, open 3-9'],
  ['that is suppressed', { openedAt: at(3), announced: false }, 'waiting 1-3, suppressed 3-9'],
  ['in its time of grace', { openedAt: at(1), phase: 'closing', missingSince: at(10) }, 'open 1-10, grace 10-20'],
  ['that ended', { openedAt: at(1), phase: 'closed', missingSince: at(10), closedAt: at(12) }, 'open 1-10, grace 10-12'],
  ['that ended without grace', { openedAt: at(1), phase: 'closed', missingSince: at(10), closedAt: at(10) }, 'open 1-10'],
  ['that ended with its rule', { openedAt: at(1), phase: 'closed', closedAt: at(15) }, 'open 1-9, grace 9-15'],
  ['that left before it opened', { phase: 'pending', announced: false, missingSince: at(10) }, 'waiting 1-10'],
])('the parts of an episode %s', ([, changes, expected]) => {
  const minute = (ms: number): number => (ms - START_MS) / 60_000;

  const parts = partsOf({ ...seen, ...changes }, START_MS + 20 * 60_000);

  expect(parts.map(({ kind, fromMs, toMs }) => `${kind} ${minute(fromMs)}-${minute(toMs)}`).join(', ')).toBe(expected);
});

test('the last instant of episodes is the last one of all their phases', () => {
  expect(lastInstantOf([seen, { ...seen, closedAt: at(30) }, { ...seen, missingSince: at(12) }])).toBe(START_MS + 30 * 60_000);
});
