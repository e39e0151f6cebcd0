import { expect, test } from 'vitest';
import { silentLog } from '#src/log.ts';
import { createScheduler } from '#src/engine/scheduler/scheduler.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import { NEW_STATE, type RuleState } from '#src/rules/episode.ts';
import type { Item, Poll } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import { cardRule, condition, MINUTE, START_MS, stream, type RuleOptions } from '../../rules/evaluate/fixture.ts';
import { withChange } from '../../rules/evaluate/run-polls.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { memoryStates } from '../../support/memory-states.ts';
import { fc, runs } from '../../support/property.ts';

/** A rule that only announces who is new. */
function entryRule(options: RuleOptions = {}): Rule {
  return cardRule({ while: [], finally: [], ...options, watched: { changes: [{ kind: 'entered' }], ...options.watched } });
}

/** Runs a slot for each poll, one minute apart. `before` runs before the slot with its index. */
async function run(
  rule: Rule,
  polls: readonly Poll[],
  before: (index: number, stage: Stage) => Promise<unknown> = () => Promise.resolve(),
) {
  const clock = new ManualClock(START_MS);
  const states = memoryStates();
  const evaluated: number[] = [];
  let index = 0;
  const scheduler = await createScheduler({
    rules: [rule],
    states,
    read: async (due, onPoll) => {
      for (const one of due) await onPoll(one.rule.id, polls[index] ?? { failure: 'no poll' });
    },
    advance: (options) => {
      evaluated.push(index);
      return advance(options);
    },
    onCommit: () => undefined,
    clock,
    log: silentLog,
  });
  for (; index < polls.length; index++) {
    await before(index, { scheduler, states, clock });
    await scheduler.tick();
    await clock.advance(MINUTE);
  }
  return { evaluated, commits: states.commits };
}

type Stage = Pick<Parameters<typeof createScheduler>[0], 'states'> & {
  readonly scheduler: Awaited<ReturnType<typeof createScheduler>>;
  readonly clock: ManualClock;
};

/** Evaluates every poll, without a scheduler. */
function evaluateAll(rule: Rule, polls: readonly Poll[]) {
  let state: RuleState = NEW_STATE;
  return polls.map((poll, index) => {
    const made = advance({ rule, state, poll, slotMs: START_MS + index * MINUTE, woken: false });
    if (made.change) state = { ...state, ...withChange(state, made.change) };
    return made;
  });
}

/** A poll of channels at a minute. Each record has the time of its poll. */
function poll(minute: number, ...names: readonly string[]): Poll {
  const fetchedAt = new Date(START_MS + minute * MINUTE).toISOString();
  return { items: names.map((name): Item => stream(name, { fetchedAt })), complete: true };
}

test('a poll that differs only in its time is not evaluated again', async () => {
  const rule = entryRule();
  const polls = [poll(0, 'ada'), poll(1, 'ada'), poll(2, 'ada'), poll(3, 'ada'), poll(4, 'ada', 'grace'), poll(5, 'ada', 'grace')];

  const { evaluated, commits } = await run(rule, polls);

  // The first poll is the baseline, and the second one shows that it changes nothing.
  expect(evaluated).toEqual([0, 1, 4, 5]);
  expect(commits.map(({ decisions }) => decisions.map(({ atMs, outcome }) => [(atMs - START_MS) / MINUTE, outcome]))).toEqual([
    [[0, 'suppressed']],
    [[1, 'unchanged']],
    [[2, 'unchanged']],
    [[3, 'unchanged']],
    [[4, 'fired']],
    [[5, 'unchanged']],
  ]);
  expect(commits[3]?.change?.memory.lastPollMs).toBe(START_MS + 3 * MINUTE);
});

test.for<[string, RuleOptions]>([
  ['a condition that reads the time', { watched: { where: condition('item.startedAt < now', () => true) } }],
  ['episodes with data of each poll', { while: cardRule().while }],
  ['a firing in each slot', { watched: { per: 'slot' } }],
  ['an end that is confirmed by several polls', { watched: { confirm: { new: 5, gone: 5 } } }],
])('each poll is evaluated: %s', async ([, options]) => {
  const polls = [poll(0, 'ada'), poll(1, 'ada', 'grace'), poll(2, 'ada', 'grace'), poll(3, 'ada', 'grace'), poll(4, 'ada', 'grace')];

  expect((await run(entryRule(options), polls)).evaluated).toEqual([0, 1, 2, 3, 4]);
});

test('after a commit of another process, the poll is evaluated', async () => {
  const rule = entryRule();
  const polls = [0, 1, 2, 3].map((minute) => poll(minute, 'ada'));

  const { evaluated } = await run(rule, polls, async (index, { states, clock }) => {
    const other = { rule: rule.id, slotMs: clock.nowMs() - 1, firings: [], withdrawals: [], decisions: [] };
    if (index === 3) await states.commit(other);
  });

  expect(evaluated).toEqual([0, 1, 3]);
});

test('a new version of the rule evaluates the poll', async () => {
  const rule = entryRule();
  const polls = [0, 1, 2, 3].map((minute) => poll(minute, 'ada'));

  const { evaluated } = await run(rule, polls, async (index, { scheduler }) => {
    if (index === 3) await scheduler.apply({ put: [{ ...rule, version: 'another' }], drop: [] });
  });

  expect(evaluated).toEqual([0, 1, 3]);
});

test('a poll after a gap is evaluated', async () => {
  const rule = entryRule();
  const polls = [0, 1, 2, 3].map((minute) => poll(minute, 'ada'));

  const { evaluated } = await run(rule, polls, async (index, { clock }) => {
    if (index === 3) await clock.advance(5 * MINUTE);
  });

  expect(evaluated).toEqual([0, 1, 3]);
});

test('an evaluation of each poll commits the same states, decisions and firings', async () => {
  const someRule = fc.record({
    changes: fc.constantFrom<RuleOptions>(
      {},
      { watched: { changes: [{ kind: 'entered' }, { kind: 'left' }] } },
      { while: cardRule().while, finally: cardRule().finally },
    ),
    watched: fc.record({
      kind: fc.constantFrom('live', 'ranking', 'feed', 'set'),
      confirm: fc.constantFrom({ new: 1, gone: 1 }, { new: 2, gone: 2 }),
      graceMs: fc.constantFrom(0, 3 * MINUTE),
      first: fc.constantFrom('silent', 'fire'),
      where: fc.constantFrom(
        undefined,
        condition('now > "2026-11-20T18:05"', ({ now }) => now > '2026-11-20T18:05'),
      ),
    }),
    limit: fc.constantFrom<RuleOptions>({}, { limit: { firings: 1, perMs: 4 * MINUTE, then: 'hold' } }),
    cooldown: fc.constantFrom<RuleOptions>({}, { cooldown: { forMs: 5 * MINUTE, per: 'item' } }),
  });
  const names = fc.constantFrom<readonly string[]>([], ['ada'], ['ada'], ['ada', 'grace'], ['grace'], ['linus', 'ada', 'grace']);
  const someLists = fc.array(fc.tuple(names, fc.constantFrom(1, 1, 2, 4, 7)), { minLength: 1, maxLength: 8 });
  let repeated = 0;

  const property = fc.asyncProperty(someRule, someLists, async ({ changes, watched, limit, cooldown }, lists) => {
    const rule = entryRule({ ...changes, ...limit, ...cooldown, watched: { ...watched, ...changes.watched } });
    const shown = lists.flatMap(([list, times]) => Array.from({ length: times }, () => list));
    const polls = shown.map((list, minute) => poll(minute, ...list));

    const { evaluated, commits } = await run(rule, polls);

    repeated += polls.length - evaluated.length;
    const parts = ({ change, firings, withdrawals, decisions, wakeMs }: ReturnType<typeof advance>) => ({
      change,
      firings,
      withdrawals,
      decisions,
      wakeMs,
    });
    expect(commits.map(parts)).toEqual(evaluateAll(rule, polls).map(parts));
  });
  await fc.assert(property, { numRuns: runs(100, 3_000) });

  expect(repeated).toBeGreaterThan(runs(100, 3_000) / 2);
});
