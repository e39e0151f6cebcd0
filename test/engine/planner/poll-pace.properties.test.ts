import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { createPollPace } from '#src/engine/planner/poll-pace.ts';
import { createPacedPolls } from '#src/engine/planner/paced-polls.ts';
import { createPlanner } from '#src/engine/planner/planner.ts';
import type { Query } from '#src/engine/planner/query.ts';
import { rateBudgetsInMemory } from '#src/http/memory-rate-budgets.ts';
import { silentLog } from '#src/log.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import { AGING_MS, pollRateOf } from '#src/rules/poll-budget.ts';
import type { Priority } from '#src/rules/priority.ts';
import type { Rule } from '#src/rules/rule.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { fc, runs } from '../../support/property.ts';
import { makeRule, makeWatched } from '../../support/rules.ts';

const accounts: Accounts = { streaming: { all: ['twitch', 'kick'], defaults: [], requestsPerMinute: { twitch: 100 } } };

/** `statementMs`: how long a statement takes that takes points. */
function start({ statementMs = 0 } = {}) {
  const clock = new ManualClock();
  const budgets = rateBudgetsInMemory(clock);
  const warnings: string[] = [];
  const pace = createPollPace({
    rateOf: (account) => pollRateOf(accounts, account),
    async take(account, points, rate) {
      const taken = await budgets.take({ budgets: [account], points, pace: rate });
      if (statementMs > 0) await clock.sleep(statementMs);
      return 'waitMs' in taken ? taken.waitMs : 0;
    },
    clock,
    log: { ...silentLog, warn: (_fields, message) => void warnings.push(message) },
  });
  const beganMs = clock.nowMs();
  const begun: (readonly [name: string, seconds: number])[] = [];
  const enter = (name: string, rank: number, points = 1, account = 'twitch') =>
    pace.enter({ account, points, rank, rules: [name] }).then(() => void begun.push([name, (clock.nowMs() - beganMs) / 1_000]));
  return { clock, pace, begun, enter, warnings };
}

test('polls begin at once while they fit into a fifth of the limit of a minute, and then at four fifths of its rate', async () => {
  const { clock, begun, enter } = start();
  for (let index = 0; index < 30; index++) void enter('poll', 1);
  await clock.advance(0);
  expect(begun).toHaveLength(20);

  await clock.advance(7_500);

  expect(begun).toHaveLength(30);
  expect(begun.at(-1)?.[1]).toBeGreaterThan(7);
});

test('an account without a known limit does not wait', async () => {
  const { begun, enter, pace } = start();
  for (let index = 0; index < 1_000; index++) await enter('poll', 1, 10, 'kick');

  expect(begun).toHaveLength(1_000);
  expect(pace.isShort('kick', 10_000)).toBe(false);
});

test('polls of a higher priority go first, and a poll that waited for ten minutes goes before all', async () => {
  const { clock, begun, enter, warnings } = start();
  void enter('first', 1, 20);
  void enter('low', 2, 10);
  void enter('high', 0, 10);
  void enter('normal', 1, 10);
  await clock.advance(30_000);
  expect(begun.map(([name]) => name)).toEqual(['first', 'high', 'normal', 'low']);

  const seconds = (clock.nowMs() + AGING_MS) / 1_000;
  void enter('starved', 2, 20);
  while (clock.nowMs() < seconds * 1_000 + 20_000) {
    void enter('high', 0, 2);
    await clock.advance(1_000);
  }

  const [, atS = 0] = begun.find(([name]) => name === 'starved') ?? [];
  expect(atS).toBeGreaterThan(AGING_MS / 1_000);
  expect(atS).toBeLessThan(AGING_MS / 1_000 + 80);
  expect(warnings).toEqual(['polls wait, because the rules need more requests than the rate limit of the account allows']);
});

test('a long list of a low priority waits ten minutes once, and not for each of its parts', async () => {
  const { clock, pace } = start();
  const poll = async () => ({ items: [], approximate: false, partialErrors: [] });
  const planner = createPlanner({ poll, paced: createPacedPolls(pace, accounts), clock, log: silentLog });
  const rule = makeRule({ id: 'low', priority: 'low', watched: makeWatched({ with: { users: channels('c', 40_000) } }) });
  const beganMs = clock.nowMs();
  let endedMs: number | undefined;
  void planner.read([{ rule, slotMs: 0 }], async () => void (endedMs = clock.nowMs()));
  // The limit leaves 80 requests a minute, and these need 120.
  while (endedMs === undefined && clock.nowMs() < beganMs + 6 * AGING_MS) {
    void pace.enter({ account: 'twitch', points: 2, rank: 0, rules: ['high'] });
    await clock.advance(1_000);
  }

  // 400 requests take five minutes.
  expect(endedMs).toBeLessThan(beganMs + AGING_MS + 6 * 60_000);
});

test('a rule gets to know since when its poll waits, about how long it will, and which rules go first', async () => {
  const { clock, enter, pace } = start();
  void enter('big', 1, 20);
  void enter('low', 2, 4);
  void enter('high', 0, 8);
  void enter('other', 0, 8, 'kick');
  await clock.advance(2_000);

  expect(pace.waitOf('big')).toBeUndefined();
  expect(pace.waitOf('other')).toBeUndefined();
  // A limit of 100 requests a minute leaves 80 for polls.
  expect(pace.waitOf('high')).toEqual({ account: 'twitch', sinceMs: clock.nowMs() - 2_000, moreMs: 6_000, before: [] });
  expect(pace.waitOf('low')).toEqual({ account: 'twitch', sinceMs: clock.nowMs() - 2_000, moreMs: 9_000, before: ['high'] });
  await clock.advance(20_000);
  expect(pace.waitOf('low')).toBeUndefined();
});

test('a poll that has waited for ten minutes goes first because of its age, not because of its priority', async () => {
  const { clock, pace } = start();
  const sinceMs = clock.nowMs() - AGING_MS;
  void pace.enter({ account: 'twitch', points: 20, rank: 1, rules: ['first'] });
  void pace.enter({ account: 'twitch', points: 20, rank: 2, rules: ['aged-low'], sinceMs });
  void pace.enter({ account: 'twitch', points: 20, rank: 0, rules: ['aged-high'], sinceMs });
  void pace.enter({ account: 'twitch', points: 20, rank: 1, rules: ['normal'] });
  await clock.advance(0);

  expect(pace.waitOf('normal')).toMatchObject({ moreMs: 45_000, before: ['aged-high'] });
  expect(pace.waitOf('aged-low')).toMatchObject({ moreMs: 30_000, before: [] });
});

test.each([
  ['in the queue', 100, ['first', 'second']],
  ['while its points are taken', 100, ['second']],
  ['as soon as its points are taken', 0, ['second']],
])('a poll that is interrupted %s leaves the others in the queue', async (_, statementMs, expected) => {
  const { clock, begun, enter, pace } = start({ statementMs });
  const stopping = new AbortController();
  if (expected.includes('first')) void enter('first', 1, 20);
  const stopped = pace.enter({ account: 'twitch', points: 10, rank: 0, rules: [] }, stopping.signal);
  void enter('second', 1, 5);
  stopping.abort(new Error('stopping'));

  await expect(stopped).rejects.toThrow('stopping');
  await clock.advance(15_000);

  expect(begun.map(([name]) => name)).toEqual(expected);
});

test('a signal keeps no listener of a poll that began or was interrupted', async () => {
  const { clock, pace } = start();
  const life = new AbortController();
  const enter = (points: number) => pace.enter({ account: 'twitch', points, rank: 1, rules: [] }, life.signal);
  for (let index = 0; index < 10; index++) await enter(1);
  expect(getEventListeners(life.signal, 'abort')).toHaveLength(0);

  const waited = enter(20);
  await clock.advance(30_000);
  await waited;
  expect(getEventListeners(life.signal, 'abort')).toHaveLength(0);

  const stopped = enter(20);
  life.abort(new Error('stopping'));
  await expect(stopped).rejects.toThrow('stopping');
  expect(getEventListeners(life.signal, 'abort')).toHaveLength(0);
});

test('a poll whose signal has aborted does not begin', async () => {
  const { pace } = start();
  const signal = AbortSignal.abort(new Error('stopped'));

  await expect(pace.enter({ account: 'twitch', points: 1, rank: 0, rules: ['a'] }, signal)).rejects.toThrow('stopped');

  expect(pace.waitOf('a')).toBeUndefined();
});

test('in no minute do polls take more than the limit, and each of them begins', async () => {
  const arrival = fc.record({
    afterMs: fc.constantFrom(0, 0, 0, 100, 5_000, 60_000),
    points: fc.integer({ min: 1, max: 20 }),
    rank: fc.nat(2),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(arrival, { minLength: 1, maxLength: 40 }), async (arrivals) => {
      const { clock, pace } = start();
      const begun: { readonly atMs: number; readonly points: number }[] = [];
      for (const { afterMs, ...poll } of arrivals) {
        await clock.advance(afterMs);
        void pace
          .enter({ account: 'twitch', rules: [], ...poll })
          .then(() => void begun.push({ atMs: clock.nowMs(), points: poll.points }));
      }
      await clock.advance(20 * 60_000);
      expect(begun).toHaveLength(arrivals.length);
      for (const { atMs } of begun) {
        const inMinute = begun.filter((one) => one.atMs >= atMs && one.atMs < atMs + 60_000);
        expect(inMinute.reduce((sum, { points }) => sum + points, 0)).toBeLessThanOrEqual(100);
      }
    }),
    { numRuns: runs(15, 1_000) },
  );
});

/** A planner for rules with so many channels each; `requests` has the number of names of each request. */
async function poll(rules: readonly { readonly id: string; readonly names: readonly string[]; readonly priority?: Priority }[]) {
  const { clock, pace } = start();
  const requests: (readonly [seconds: number, names: number])[] = [];
  const beganMs = clock.nowMs();
  const planner = createPlanner({
    async poll({ params }: Query) {
      const { users = [] } = params;
      const names = [users].flat().map(String);
      for (let at = 0; at < names.length; at += 100) requests.push([(clock.nowMs() - beganMs) / 1_000, Math.min(100, names.length - at)]);
      return {
        items: names.map((name) => ({ id: `s-${name}`, owner: { id: `i-${name}`, handle: name } })),
        approximate: false,
        partialErrors: [],
      };
    },
    paced: createPacedPolls(pace, accounts),
    clock,
    log: silentLog,
  });
  const wanted = rules.map(({ id, names, priority }): { rule: Rule; slotMs: number } => ({
    rule: makeRule({ id, priority, watched: makeWatched({ with: { users: names } }) }),
    slotMs: 0,
  }));
  const read: (readonly [rule: string, items: number])[] = [];
  let ended = false;
  const reading = planner
    .read(wanted, async (rule, one) => void read.push([rule, 'failure' in one ? -1 : one.items.length]))
    .then(() => (ended = true));
  while (!ended) await clock.advance(250);
  await reading;
  return { requests, read };
}

const channels = (prefix: string, count: number): readonly string[] => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

test('while the limit allows all polls at once, rules of all priorities share them', async () => {
  const { requests, read } = await poll([
    { id: 'a', names: channels('a', 30), priority: 'low' },
    { id: 'b', names: channels('b', 30), priority: 'high' },
    { id: 'c', names: channels('c', 30) },
  ]);

  expect(requests).toEqual([[0, 90]]);
  expect(read).toHaveLength(3);
});

test('a burst over the limit is spread: high priorities first, few requests more, and complete lists', async () => {
  const rules = ['low', 'normal', 'high'].flatMap((priority) =>
    Array.from({ length: 25 }, (_, index) => ({
      id: `${priority}-${index}`,
      names: channels(`${priority}${index}-`, 60),
      priority: priority as Priority, // one of the three above
    })),
  );

  const { requests, read } = await poll(rules);

  // 4,500 channels are 45 requests, and the account may send 20 at once.
  expect(requests.length).toBeGreaterThanOrEqual(45);
  expect(requests.length).toBeLessThanOrEqual(50);
  expect(requests.filter(([seconds]) => seconds === 0).length).toBeLessThanOrEqual(20);
  expect(Math.max(...requests.map(([seconds]) => seconds))).toBeLessThanOrEqual(25);
  expect(read.map(([, items]) => items)).toEqual(rules.map(() => 60));
  const order = read.map(([rule]) => rule.split('-')[0]);
  expect(order).toEqual(
    order.toSorted((a, b) => ['high', 'normal', 'low'].indexOf(String(a)) - ['high', 'normal', 'low'].indexOf(String(b))),
  );
});

test('a rule with more channels than the burst gets one complete list from several polls', async () => {
  const { requests, read } = await poll([{ id: 'all', names: channels('c', 5_050) }]);

  expect(requests).toHaveLength(51);
  expect(read).toEqual([['all', 5_050]]);
});

test('equal lists of rules with several priorities are read once', async () => {
  const names = channels('c', 2_500);
  const { requests, read } = await poll([
    { id: 'low', names, priority: 'low' },
    { id: 'high', names, priority: 'high' },
  ]);

  expect(requests).toHaveLength(25);
  expect(read).toHaveLength(2);
});
