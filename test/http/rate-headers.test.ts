import { describe, expect, test } from 'vitest';
import { readRates, readRetryAt, type Headers } from '#src/http/rate-headers.ts';

const now = new Date('2026-11-20T18:00:00Z');
const epoch = now.getTime() / 1000;

test.for([
  ['seconds', { 'retry-after': '30' }, '2026-11-20T18:00:30.000Z'],
  ['parts of a second', { 'retry-after': '0.25' }, '2026-11-20T18:00:00.250Z'],
  ['an HTTP date', { 'retry-after': 'Fri, 20 Nov 2026 18:02:00 GMT' }, '2026-11-20T18:02:00.000Z'],
  ["Twitch's epoch", { 'ratelimit-remaining': '0', 'ratelimit-reset': String(epoch + 60) }, '2026-11-20T18:01:00.000Z'],
  ["X's epoch", { 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': String(epoch + 900) }, '2026-11-20T18:15:00.000Z'],
  ["Mastodon's ISO date", { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '2026-11-20T18:05:00.000000Z' }, '2026-11-20T18:05:00.000Z'],
  ['a date without T and zone', { 'x-ratelimit-reset': '2026-11-20 18:05:00' }, '2026-11-20T18:05:00.000Z'],
  ['milliseconds since 1970', { 'x-ratelimit-reset': String(now.getTime() + 5000) }, '2026-11-20T18:00:05.000Z'],
  ['seconds to the reset', { 'ratelimit-reset': '45' }, '2026-11-20T18:00:45.000Z'],
  ["Discord's reset-after", { 'x-ratelimit-reset-after': '1.5', 'x-ratelimit-reset': '1' }, '2026-11-20T18:00:01.500Z'],
  [
    "X's limit of a day",
    { 'x-rate-limit-remaining': '9', 'x-user-limit-24hour-remaining': '0', 'x-user-limit-24hour-reset': String(epoch + 7200) },
    '2026-11-20T20:00:00.000Z',
  ],
  [
    'Retry-After before a reset',
    { 'retry-after': '5', 'ratelimit-remaining': '0', 'ratelimit-reset': String(epoch + 60) },
    '2026-11-20T18:00:05.000Z',
  ],
] as const satisfies readonly (readonly [string, Headers, string])[])('a pause is read from %s', ([, headers, expected]) => {
  expect(readRetryAt(headers, now.getTime())?.toISOString()).toBe(expected);
});

test.for([
  ['no header', {}],
  ['an empty one', { 'retry-after': '' }],
  ['words', { 'retry-after': 'later' }],
  ['a time that is over', { 'retry-after': 'Fri, 20 Nov 2026 17:00:00 GMT' }],
  ['a time in another age', { 'retry-after': '99999999' }],
  ['the reset of a budget that is not used up', { 'ratelimit-remaining': '700', 'ratelimit-reset': String(epoch + 60) }],
] as const satisfies readonly (readonly [string, Headers])[])('no pause is made up from %s', ([, headers]) => {
  expect(readRetryAt(headers, now.getTime())).toBeUndefined();
});

describe.for([-3600, 0, 1200])('with a clock of this machine that is %i seconds wrong', (offSeconds) => {
  const localMs = now.getTime() + offSeconds * 1000;
  const date = now.toUTCString();
  const inAMinute = new Date(localMs + 60_000).toISOString();

  test.for([
    ['seconds', { 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': String(epoch + 60) }],
    ['milliseconds', { 'x-ratelimit-reset': String(now.getTime() + 60_000) }],
    ['an ISO date', { 'x-ratelimit-reset': '2026-11-20T18:01:00.000000Z' }],
    ['an HTTP date', { 'retry-after': 'Fri, 20 Nov 2026 18:01:00 GMT' }],
    ['a number of seconds from now', { 'retry-after': '60' }],
    ['the single header', { ratelimit: 'limit=100, remaining=0, reset=60' }],
  ] as const satisfies readonly (readonly [string, Headers])[])('a pause of a minute is read from %s', ([, headers]) => {
    expect(readRetryAt({ ...headers, date }, localMs)?.toISOString()).toBe(inAMinute);
  });

  test('the date of a cached response counts with its age', () => {
    const headers = { 'x-ratelimit-reset': String(epoch + 90), date, age: '30' };

    expect(readRetryAt(headers, localMs)?.toISOString()).toBe(inAMinute);
  });
});

test('the same reset does not change with the time of a response', () => {
  const resets = [-2, -1, 0, 1, 2].map((lateSeconds) =>
    readRetryAt({ 'x-ratelimit-reset': String(epoch + 60), date: now.toUTCString() }, now.getTime() + lateSeconds * 1000)?.getTime(),
  );

  expect(new Set(resets)).toEqual(new Set([(epoch + 60) * 1000]));
});

test('an unreadable date is ignored', () => {
  expect(readRetryAt({ 'x-ratelimit-reset': String(epoch + 60), date: 'today' }, now.getTime())?.getTime()).toBe(now.getTime() + 60_000);
});

test('all overlapping budgets are read', () => {
  const rates = readRates(
    {
      'x-rate-limit-remaining': '9',
      'x-rate-limit-reset': '60',
      'x-app-limit-24hour-remaining': '3',
      'x-app-limit-24hour-reset': '600',
      'x-app-limit-24hour-limit': '50',
    },
    now.getTime(),
  );

  expect(rates).toEqual([
    { family: 'x-rate-limit', limit: undefined, remaining: 9, resetAtMs: now.getTime() + 60_000 },
    { family: 'x-app-limit-24hour', limit: 50, remaining: 3, resetAtMs: now.getTime() + 600_000 },
  ]);
});

test('a limit with a policy is read as its number', () => {
  const rates = readRates({ 'ratelimit-limit': '3000, 3000;w=300', 'ratelimit-remaining': '2999', 'ratelimit-reset': '10' }, now.getTime());

  expect(rates).toMatchObject([{ limit: 3000, remaining: 2999 }]);
});

test.for([
  ['limit=100, remaining=50, reset=30', [[100, 50, 30]]],
  ['"default";r=50;t=30', [[undefined, 50, 30]]],
  [
    '"burst";r=3;t=1, "daily";r=900;t=3600',
    [
      [undefined, 3, 1],
      [undefined, 900, 3600],
    ],
  ],
  ['soon', []],
] as const)('the single header of newer drafts is read: %s', ([ratelimit, expected]) => {
  const rates = readRates({ ratelimit }, now.getTime());

  expect(rates.map(({ limit, remaining, resetAtMs }) => [limit, remaining, ((resetAtMs ?? 0) - now.getTime()) / 1000])).toEqual(expected);
});
