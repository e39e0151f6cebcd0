import { expect, test } from 'vitest';
import { POLLING as GERMAN } from '#src/admin/language/de/polling.ts';
import { POLLING, pollingLines } from '#src/admin/language/polling.ts';
import { pollingTextsFor } from '#src/admin/language/polling-texts.ts';
import { PollingAnswer, pollDemandOf, pollingOf, type LivePolls, type Polling } from '#src/admin/queries/polling.ts';
import { createCoverage } from '#src/engine/coverage.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import type { Rule } from '#src/rules/rule.ts';
import { makeRule, makeWatched } from '../../support/rules.ts';

const NOW_MS = Date.parse('2026-11-20T18:00:00Z');
const MINUTE = 60_000;
const OPERATIONS = [{ operation: 'getStreams', parameter: 'users', fields: ['id', 'title'] }];
const ACCOUNTS: Accounts = { streaming: { all: ['twitch'], defaults: [], requestsPerMinute: { twitch: 100 } } };

function minutely({
  watched,
  ...over
}: { readonly watched?: Parameters<typeof makeWatched>[0] } & Partial<Omit<Rule, 'watched'>> = {}): Rule {
  const defaults = { with: { users: ['ada', 'grace'] }, decidingFields: [], settleMs: 0 };
  return makeRule({
    id: 'live',
    schedule: { everyMs: MINUTE },
    maxAgeMs: 60 * MINUTE,
    ...over,
    watched: makeWatched({ ...defaults, ...watched }),
  });
}

interface Setting {
  readonly rule?: Rule;
  readonly others?: readonly Rule[];
  readonly notified?: readonly string[];
  /** Whether the last poll showed no item; undefined: the rule needs its next slots. */
  readonly rest?: 'empty' | 'items' | 'none';
  readonly accounts?: Accounts;
  readonly live?: Partial<LivePolls>;
  readonly isRunning?: boolean;
}

const RESTS = { empty: { sinceMs: NOW_MS, isEmpty: true }, items: { sinceMs: NOW_MS, isEmpty: false }, none: undefined };

function polling({
  rule = minutely(),
  others = [],
  notified = [],
  accounts = ACCOUNTS,
  live,
  isRunning = true,
  rest = 'items',
}: Setting = {}): Polling {
  const coverage = createCoverage();
  if (notified.length > 0)
    coverage.set({ account: 'twitch', client: 'streaming', operations: OPERATIONS, names: new Map([['getStreams', notified]]) });
  const found = pollingOf(rule, {
    demand: pollDemandOf([rule, ...others], accounts),
    accounts,
    live: isRunning ? { coverage, resting: RESTS[rest], waitOf: () => undefined, ...live } : undefined,
    reports: new Map([['twitch', { state: 'connected', problem: 'the cost is used up' }]]),
    prices: new Map(),
    runsPerMinute: 1 / 60,
    nowMs: NOW_MS,
  });
  return PollingAnswer.parse(found);
}

const BOTH = ['ada', 'grace'];
const MANY = { users: Array.from({ length: 900 }, (_, index) => `user-${index}`) };
/** Needs 90 requests a minute, so another rule of the same priority waits. */
const GREEDY = minutely({ id: 'greedy', schedule: { everyMs: 5_000 }, watched: { with: MANY } });

test.for<[string, Setting, Partial<Polling>]>([
  ['no platform notifies', {}, { notifications: 'none', pollsEveryMs: MINUTE, why: 'every', longestDelayMs: MINUTE }],
  [
    'the platform notifies about all names',
    { notified: BOTH },
    { notifications: 'all', pollsEveryMs: 10 * MINUTE, restsEveryMs: 10 * MINUTE, why: 'rest', longestDelayMs: 10 * MINUTE },
  ],
  [
    'something waits',
    { notified: BOTH, rest: 'none' },
    { notifications: 'all', pollsEveryMs: MINUTE, restsEveryMs: 10 * MINUTE, why: 'waits', longestDelayMs: 10 * MINUTE },
  ],
  [
    'the platform notifies about some names',
    { notified: ['ada'] },
    { notifications: 'some', pollsEveryMs: MINUTE, why: 'every', longestDelayMs: MINUTE },
  ],
  [
    'it needs fields that no notification reports',
    { notified: BOTH, rule: minutely({ watched: { decidingFields: ['viewerCount'] } }) },
    { notifications: 'all', pollsEveryMs: MINUTE, restsEveryMs: 10 * MINUTE, why: 'fields', longestDelayMs: 10 * MINUTE },
  ],
  [
    'it needs fields that no notification reports, and its list is empty',
    { notified: BOTH, rest: 'empty', rule: minutely({ watched: { decidingFields: ['viewerCount'] } }) },
    { notifications: 'all', pollsEveryMs: 10 * MINUTE, restsEveryMs: 10 * MINUTE, why: 'rest', longestDelayMs: 10 * MINUTE },
  ],
  [
    'the platform of one of its accounts does not notify',
    { notified: BOTH, rest: 'empty', rule: minutely({ watched: { accounts: ['twitch', 'kick'] } }) },
    { notifications: 'some', pollsEveryMs: MINUTE, why: 'every', longestDelayMs: MINUTE },
  ],
  [
    'within limits the rest',
    { notified: BOTH, rule: minutely({ withinMs: 3.5 * MINUTE }) },
    { pollsEveryMs: 3 * MINUTE, why: 'rest', longestDelayMs: 3 * MINUTE },
  ],
  ['within forbids a rest', { notified: BOTH, rule: minutely({ withinMs: MINUTE }) }, { pollsEveryMs: MINUTE, why: 'within' }],
  [
    'settle ends between two polls',
    { rule: minutely({ watched: { settleMs: 90_000 } }) },
    { pollsEveryMs: MINUTE, waitsMs: 90_000, longestDelayMs: 3 * MINUTE },
  ],
  ['the rate limit is short', { others: [GREEDY] }, { pollsEveryMs: 82_000, why: 'budget', longestDelayMs: 82_000 }],
  [
    'the rate limit is short, and three polls have to confirm',
    { others: [GREEDY], rule: minutely({ watched: { confirm: { new: 3, gone: 1 } } }) },
    { pollsEveryMs: 82_000, why: 'budget', waitsMs: 2 * 82_000, longestDelayMs: 3 * 82_000 },
  ],
  [
    'the rate limit is short, and it rests until three polls have to confirm',
    { others: [GREEDY], notified: BOTH, rule: minutely({ watched: { confirm: { new: 3, gone: 1 } } }) },
    { pollsEveryMs: 10 * MINUTE, why: 'rest', waitsMs: 2 * 82_000, longestDelayMs: 10 * MINUTE + 2 * 82_000 },
  ],
  [
    'rules of a higher priority take the whole limit: after ten minutes, it goes before them',
    { others: [{ ...GREEDY, priority: 'high' }], rule: minutely({ priority: 'low' }) },
    { pollsEveryMs: 10 * MINUTE + 1_000, why: 'budget', longestDelayMs: 10 * MINUTE + 1_000 },
  ],
  ['the rate limit is short, and its priority is high', { rule: minutely({ priority: 'high' }), others: [GREEDY] }, { why: 'every' }],
  ['no process runs', { isRunning: false, notified: BOTH }, { notifications: 'unknown', pollsEveryMs: MINUTE, why: 'every' }],
  [
    'it has a calendar',
    { notified: BOTH, rule: minutely({ schedule: { cron: '0 8 * * *', timezone: 'UTC' } }) },
    { notifications: 'none', everyMs: undefined, why: 'calendar', longestDelayMs: undefined, requestsPerHour: 1 },
  ],
  [
    'Discord notifies',
    { rule: minutely({ watched: { verb: 'discord.getMessages', accounts: ['discord'], with: { channel: 'live' } } }) },
    { notifications: 'hints', why: 'every', longestDelayMs: MINUTE },
  ],
])('the polls of a rule if %s', ([, setting, expected]) => {
  expect(polling(setting)).toMatchObject(expected);
});

test('the requests of a rule are its share of the merged polls, fewer while it rests', () => {
  // Both rules share ten requests a minute for 901 names.
  const [one, two] = [minutely({ watched: { with: MANY } }), minutely({ id: 'two', watched: { with: { users: ['ada'] } } })];

  const [ofOne, ofTwo] = [polling({ rule: one, others: [two] }), polling({ rule: two, others: [one] })];

  expect(ofOne.requestsPerHour + ofTwo.requestsPerHour).toBeCloseTo(600);
  expect(ofTwo.requestsPerHour).toBeCloseTo(600 / 901);
  expect(ofOne.accounts).toMatchObject([{ account: 'twitch', unit: 'requests', allPerHour: 600, allowedPerHour: 4_800 }]);
  expect(polling({ notified: BOTH }).requestsPerHour).toBe(6);
});

test('why the platform does not notify about all names, and how many it covers', () => {
  expect(polling({ notified: ['ada'] }).accounts).toMatchObject([{ names: 2, notified: 1, problem: 'the cost is used up' }]);
  expect(polling({ notified: BOTH }).accounts[0]?.problem).toBeUndefined();
});

test('a poll that waits for the rate limit names the rules that go first', () => {
  const before = ['a', 'b', 'c', 'd', 'e', 'f'];
  const waiting = polling({ live: { waitOf: () => ({ account: 'twitch', sinceMs: NOW_MS - 30_000, moreMs: 12_000, before }) } });

  expect(waiting.waiting).toEqual({
    account: 'twitch',
    since: new Date(NOW_MS - 30_000),
    waitedMs: 30_000,
    moreMs: 12_000,
    before: before.slice(0, 5),
    beforeCount: 6,
  });
  expect(pollingLines(waiting, POLLING).at(-1)).toBe(
    'Its poll has waited for the rate limit of twitch for 30s, and waits for about 12s more. Rules of a higher priority go first: a, b, c, d, e and 1 more.',
  );
  expect(pollingLines(waiting, GERMAN).at(-1)).toBe(
    'Ihre Abfrage wartet seit 30 Sek. auf das Limit von twitch und wird noch etwa 12 Sek. warten. Regeln mit höherer Priorität gehen vor: a, b, c, d, e und 1 weitere.',
  );
});

test('a rule that watches nothing has no polls', () => {
  const rule = makeRule({ watched: undefined });
  expect(
    pollingOf(rule, {
      demand: pollDemandOf([rule], ACCOUNTS),
      accounts: ACCOUNTS,
      reports: new Map(),
      prices: new Map(),
      runsPerMinute: 0,
      nowMs: NOW_MS,
    }),
  ).toBeUndefined();
});

test('polls of a weekly rule are never shown as 0 requests an hour', () => {
  const weekly = polling({ notified: ['ada'] });
  const shown = { ...weekly, accounts: weekly.accounts.map((account) => ({ ...account, requestsPerHour: 1 / 168, allPerHour: 1 / 168 })) };

  const [english, german] = (['en-US', 'de'] as const).map((language) => pollingLines(shown, pollingTextsFor(language)).at(-1));
  expect(english).toContain('less than 0.1 requests an hour');
  expect(english).toContain('All rules together need up to 0.1 of 4,800');
  expect(german).toContain('weniger als 0,1 Anfragen pro Stunde');
  expect(german).toContain('Alle Regeln zusammen brauchen bis zu 0,1 von 4.800');
});

test.each([
  [4.321, 'at most $4.33 a month', 'höchstens 4,33\u00a0$ im Monat'],
  [1.1, 'at most $1.10 a month', 'höchstens 1,10\u00a0$ im Monat'],
])('a price of $%d is rounded up to cents', (monthUsd, english, german) => {
  const shown = polling({ notified: ['ada'] });
  const priced = { ...shown, accounts: shown.accounts.map((account) => ({ ...account, requestsPerHour: 1, monthUsd })) };

  expect(pollingLines(priced, POLLING).at(-1)).toContain(english);
  expect(pollingLines(priced, POLLING).at(-1)).toContain('take 1 request an hour');
  expect(pollingLines(priced, GERMAN).at(-1)).toContain(german);
  expect(pollingLines(priced, GERMAN).at(-1)).toContain('brauchen 1 Anfrage pro Stunde');
});

test('the sentences about polls are complete in both languages', () => {
  const shown = { ...polling({ notified: ['ada'] }), waitsMs: 2 * MINUTE, longestDelayMs: 3 * MINUTE };

  expect(pollingLines(shown, pollingTextsFor('en-US'))).toEqual([
    'Notifications through twitch cover 1 of 2 names. The other ones are only polled.',
    'twitch: the cost is used up',
    'The rule polls every 1m, as its key every says.',
    'A change is announced after 3m at the latest, even if notifications are lost. Of this time, settle or confirm takes 2m.',
    'Its polls take 60 requests an hour through twitch. All rules together need up to 60 of 4,800 for polls.',
  ]);
  expect(pollingLines(shown, pollingTextsFor('de'))).toEqual([
    'Benachrichtigungen über twitch gibt es für 1 von 2 Namen. Die anderen werden nur abgefragt.',
    'twitch: „the cost is used up“',
    'Die Regel fragt alle 1 Min. ab, wie ihr Schlüssel every sagt.',
    'Eine Änderung wird nach höchstens 3 Min. angekündigt, selbst wenn Benachrichtigungen verloren gehen. Davon sind 2 Min. die Zeit von settle oder confirm.',
    'Ihre Abfragen brauchen 60 Anfragen pro Stunde über twitch. Alle Regeln zusammen brauchen bis zu 60 von 4.800 für Abfragen.',
  ]);
  const both = polling({ notified: BOTH, rule: minutely({ watched: { accounts: ['twitch', 'kick'] } }) });
  expect(pollingLines(both, POLLING)[1]).toBe('No notifications come through kick, so its changes are found by polls.');
  expect(pollingLines(both, GERMAN)[1]).toBe('Über kick kommen keine Benachrichtigungen. Änderungen werden dort durch Abfragen gefunden.');
  for (const why of PollingAnswer.shape.why.options) {
    const [english, german] = [POLLING, GERMAN].map((texts) => texts.polls({ ...shown, restsEveryMs: 10 * MINUTE, why }));
    expect(english).toMatch(/^The rule polls /u);
    expect(german).toMatch(/^Die Regel fragt /u);
  }
});
