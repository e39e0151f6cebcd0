import { describe, expect, test } from 'vitest';
import { createLog, silentLog } from '#src/log.ts';
import { createPlanner } from '#src/engine/planner/planner.ts';
import { mergeQueries, queriesOf, mergeKey } from '#src/engine/planner/merge-queries.ts';
import type { PacedPolls } from '#src/engine/planner/paced-polls.ts';
import type { PollResult, Query } from '#src/engine/planner/query.ts';
import { type RecordedResult, type RecordedPolls, recordedPollsOf } from '#src/engine/planner/recorded-polls.ts';
import type { Rule } from '#src/rules/rule.ts';
import { openStore } from '#src/store/store.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { makeRule, makeWatched } from '../../support/rules.ts';
import { readAll } from './read-all.ts';

const DAY_MS = 86_400_000;

const live = (handle: string) => ({ id: `s-${handle}`, owner: { id: `1${handle.length}`, handle } });
const rule = (id: string, users: readonly string[], accounts = ['twitch']): Rule =>
  makeRule({ id, watched: makeWatched({ accounts, with: { users } }) });

/** Recordings in memory. */
function memoryRecordings(): RecordedPolls {
  const kept = new Map<string, RecordedResult[]>();
  return {
    record(query, recorded) {
      kept.set(query, [...(kept.get(query) ?? []), recorded]);
      return Promise.resolve(true);
    },
    async *read(query, sinceMs) {
      yield* (kept.get(query) ?? []).filter(({ slotMs }) => slotMs >= sinceMs);
    },
  };
}

/** The recordings of polls at the slots 10, 20, …, with a list of rules for each slot. */
async function seen(polls: readonly (readonly Rule[])[], answer: (query: Query) => Partial<PollResult>): Promise<RecordedPolls> {
  const recorded = memoryRecordings();
  const poll = (query: Query): Promise<PollResult> =>
    Promise.resolve({ items: [], approximate: false, partialErrors: [], ...answer(query) });
  const planner = createPlanner({ poll, recorded, log: silentLog });
  for (const [index, rules] of polls.entries())
    await readAll(
      planner,
      rules.map((one) => ({ rule: one, slotMs: (index + 1) * 10 })),
    );
  return recorded;
}

describe('the recorded polls of a rule', () => {
  test('are its polls, with only its part of a shared query', async () => {
    const [a, b] = [rule('a', ['ada']), rule('b', ['grace', 'linus'])];
    const recorded = await seen([[a, b], [a], [a, b]], () => ({ items: [live('ada'), live('linus')] }));

    const polls = await Array.fromAsync(recordedPollsOf(b, recorded, 0));

    expect(polls).toMatchObject([
      { slotMs: 10, poll: { items: [{ id: 's-linus' }], complete: true }, missingNames: [] },
      { slotMs: 30, poll: { items: [{ id: 's-linus' }], complete: true }, missingNames: [] },
    ]);
  });

  test('leave out queries for other rules with some of its names', async () => {
    const [a, b] = [rule('a', ['ada']), rule('b', ['ada', 'grace'])];
    const recorded = await seen([[a, b], [a], [a, b], [a]], () => ({ items: [live('ada')] }));

    const polls = await Array.fromAsync(recordedPollsOf(b, recorded, 0));

    expect(polls.map(({ slotMs, missingNames }) => [slotMs, missingNames])).toEqual([
      [10, []],
      [30, []],
    ]);
  });

  test('name the added names of an edited rule that no query had', async () => {
    const recorded = await seen([[rule('a', ['ada'])]], () => ({ items: [live('ada')] }));

    const polls = await Array.fromAsync(recordedPollsOf(rule('a', ['ada', 'new']), recorded, 0));

    expect(polls).toMatchObject([{ slotMs: 10, poll: { items: [{ id: 's-ada' }], complete: true }, missingNames: ['new'] }]);
  });

  test.for([
    ['for less than a day, is left out', DAY_MS - 1, 1],
    ['for a day, is a poll without the name', DAY_MS, 2],
  ] as const)('at a slot whose query lacks a name %s', async ([, afterMs, expected]) => {
    const recorded = memoryRecordings();
    const query = mergeKey(queriesOf(rule('a', ['ada', 'grace']))[0] ?? { verb: '', account: '', params: {} });
    const answer = { items: [], approximate: false, partialErrors: [] };
    await recorded.record(query, { slotMs: 10, params: { users: ['ada', 'grace'] }, answer });
    await recorded.record(query, { slotMs: 10 + afterMs, params: { users: ['ada'] }, answer });

    const polls = await Array.fromAsync(recordedPollsOf(rule('a', ['ada', 'grace']), recorded, 0));

    expect(polls).toHaveLength(expected);
  });

  test('are empty without a matching query, and failures for names without an answer', async () => {
    const a = rule('a', ['ada']);
    const recorded = await seen([[a]], () => ({ partialErrors: [{ message: 'unavailable', values: ['ada'] }] }));

    expect(await Array.fromAsync(recordedPollsOf(a, recorded, 0))).toMatchObject([{ poll: { failure: 'unavailable' } }]);
    expect(await Array.fromAsync(recordedPollsOf(rule('a', ['ada'], ['kick']), recorded, 0))).toEqual([]);
  });

  describe('find a user whose record has another name', () => {
    const renamed = ({ params }: Query): Partial<PollResult> => {
      const asked = JSON.stringify(params);
      return { items: [...(asked.includes('ada') ? [live('new-ada')] : []), ...(asked.includes('grace') ? [live('grace')] : [])] };
    };
    const named = async (wanted: Rule, recorded: RecordedPolls) => {
      const polls = await Array.fromAsync(recordedPollsOf(wanted, recorded, 0));
      return polls.map(({ poll }) => ('items' in poll ? poll.items.map(({ id }) => id) : [poll.failure]));
    };

    test('in a query of several rules', async () => {
      const [a, b] = [rule('a', ['ada', 'linus']), rule('b', ['grace'])];
      const recorded = await seen(
        [
          [a, b],
          [a, b],
        ],
        renamed,
      );

      expect(await named(a, recorded)).toEqual([['s-new-ada'], ['s-new-ada']]);
      expect(await named(b, recorded)).toEqual([['s-grace'], ['s-grace']]);
    });

    test('after an edit that adds a name or removes another one', async () => {
      const [a, b] = [rule('a', ['ada']), rule('b', ['grace'])];
      const recorded = await seen([[a, b]], renamed);
      const alone = await seen([[rule('a', ['ada', 'grace'])]], renamed);

      expect(await named(rule('a', ['ada', 'grace']), recorded)).toEqual([['s-new-ada', 's-grace']]);
      expect(await named(rule('a', ['ada']), alone)).toEqual([['s-new-ada']]);
    });

    test('in a look-up by an address', async () => {
      const lookup = (id: string, user: string): Rule =>
        makeRule({ id, watched: makeWatched({ verb: 'social.getUserInfo', kind: 'one', accounts: ['mastodon'], with: { user } }) });
      const [a, b] = [lookup('a', 'https://one.example/@ada'), lookup('b', 'grace@one.example')];
      const people = [
        { id: '1', handle: 'ada' },
        { id: '2', handle: 'grace@one.example' },
      ];
      const recorded = await seen([[a, b]], ({ params }) => ({
        items: people.filter(({ handle }) => JSON.stringify(params).includes(handle)),
      }));

      expect(await named(a, recorded)).toEqual([['1']]);
      expect(await named(b, recorded)).toEqual([['2']]);
    });
  });

  test('with several accounts exist for slots at which all accounts were polled', async () => {
    const [twitch, both] = [rule('a', ['ada']), rule('b', ['ada'], ['twitch', 'kick'])];
    const recorded = await seen([[both], [twitch], [both]], ({ account }) => ({ items: [live(account)] }));

    const polls = await Array.fromAsync(recordedPollsOf(both, recorded, 0));

    expect(polls.map(({ slotMs }) => slotMs)).toEqual([10, 30]);
  });
});

const ANSWER: PollResult = { items: [live('ada')], approximate: false, partialErrors: [] };

describe('recording', () => {
  test('delays and fails no poll', async () => {
    const recorded: RecordedPolls = {
      record: () => Promise.reject(new Error('the disk is full')),
      async *read() {
        // No recordings exist.
      },
    };
    const slow: RecordedPolls = { ...recorded, record: () => new Promise(() => undefined) };
    for (const recordings of [recorded, slow]) {
      const planner = createPlanner({ poll: () => Promise.resolve(ANSWER), recorded: recordings, log: silentLog });
      expect((await readAll(planner, [{ rule: rule('a', ['ada']), slotMs: 10 }])).get('a')).toMatchObject({ complete: true });
    }
  });

  test('that fails is logged once, and its end only after results are written again', async () => {
    const lines: string[] = [];
    const log = createLog({ level: 'info', secrets: [], write: (line) => void lines.push(line.slice(21).trim()), color: false });
    const full = () => Promise.reject(new Error('the disk is full'));
    const outcomes: (() => Promise<boolean>)[] = [full, async () => false, full, async () => false, async () => true, async () => false];
    const recorded: RecordedPolls = {
      record: () => outcomes.shift()?.() ?? Promise.resolve(false),
      async *read() {
        // No recordings exist.
      },
    };
    const planner = createPlanner({ poll: () => Promise.resolve(ANSWER), recorded, log });

    for (let slotMs = 10; outcomes.length > 0; slotMs += 10) {
      const left = outcomes.length;
      await readAll(planner, [{ rule: rule('a', ['ada']), slotMs }]);
      await expect.poll(() => outcomes.length).toBe(left - 1);
    }

    expect(lines.map((line) => line.split(' error=')[0])).toEqual([
      expect.stringMatching(/^warn {2}polls cannot be recorded/u),
      'info  polls are recorded again',
    ]);
  });

  test('follows the work that a poll begins, so that announcements do not wait for it', async () => {
    const recorded = memoryRecordings();
    const planner = createPlanner({ poll: () => Promise.resolve(ANSWER), recorded, log: silentLog });
    const wanted = rule('a', ['ada']);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const slots = async () => (await Array.fromAsync(recordedPollsOf(wanted, recorded, 0))).map(({ slotMs }) => slotMs);

    await planner.read([{ rule: wanted, slotMs: 10 }], () => Promise.resolve({ ended }));
    const before = await slots();
    end();

    expect(before).toEqual([]);
    await expect.poll(slots).toEqual([10]);
  });

  test.each([
    ['some parts failed', ['linus'], [['s-ada'], ['s-grace'], { failure: 'no' }]],
    ['all parts failed', ['ada', 'grace', 'linus'], [{ failure: 'no' }, { failure: 'no' }, { failure: 'no' }]],
  ])('joins the results of a query with several requests, and %s', async (_, failing, expected) => {
    const clock = new ManualClock();
    await using store = await openStore({ clock });
    const parts: PacedPolls = {
      pace: { isShort: () => false, enter: () => Promise.resolve(), waitOf: () => undefined },
      plan: (needs) => needs.flatMap((need) => mergeQueries([need])),
      pointsOf: () => 1,
      mostNames: () => 100,
    };
    const poll = ({ params }: Query): Promise<PollResult> => {
      const [name = ''] = params['users'] as readonly string[]; // the rules below name users
      return failing.includes(name) ? Promise.reject(new Error('no')) : Promise.resolve({ ...ANSWER, items: [live(name)] });
    };
    const planner = createPlanner({ poll, recorded: store.recordedPolls, paced: parts, log: silentLog });
    const rules = [rule('a', ['ada']), rule('b', ['grace']), rule('c', ['linus'])];

    await readAll(
      planner,
      rules.map((one) => ({ rule: one, slotMs: clock.nowMs() })),
    );

    const read = async (one: Rule) => {
      const polls = await Array.fromAsync(recordedPollsOf(one, store.recordedPolls, 0));
      return polls.map((recorded) => ('items' in recorded.poll ? recorded.poll.items.map(({ id }) => id) : recorded.poll));
    };
    expect(await Promise.all(rules.map(read))).toEqual(expected.map((one) => [one]));
  });

  test('contains failed polls, but not those that the program interrupted', async () => {
    const recorded = memoryRecordings();
    const stop = new AbortController();
    let polls = 0;
    const poll = (): Promise<PollResult> => {
      polls++;
      if (polls === 2) stop.abort();
      return Promise.reject(new Error('no'));
    };
    const planner = createPlanner({ poll, recorded, log: silentLog });

    for (const slotMs of [10, 20]) await readAll(planner, [{ rule: rule('a', ['ada']), slotMs }], stop.signal);

    expect(await Array.fromAsync(recordedPollsOf(rule('a', ['ada']), recorded, 0))).toEqual([
      { slotMs: 10, poll: { failure: 'no' }, missingNames: [] },
    ]);
  });
});
