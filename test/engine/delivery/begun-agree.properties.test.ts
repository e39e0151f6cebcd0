import { expect, test } from 'vitest';
import { Postponed } from '#src/errors.ts';
import { NEW_STATE } from '#src/rules/episode.ts';
import type { Step } from '#src/rules/step.ts';
import type { AttemptFailure } from '../../support/fake-platform.ts';
import { committing, creating, episodeOf, firing, renderPlainly, SLOT_MS } from '../../support/firings.ts';
import { fc, runs } from '../../support/property.ts';
import { runEngine } from './running-engine.ts';

const ACCOUNTS = ['x', 'mastodon', 'discord'];
const MINUTE_MS = 60_000;
/** Different times, because what two accounts do at the same instant has no order. */
const ANSWER_MS: Readonly<Record<string, number>> = { x: 301, mastodon: 337, discord: 389 };
/** Longer than all retries, waits and questions. */
const RUN_OUT_MS = 48 * 60 * MINUTE_MS;

const failure = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<AttemptFailure | 'postponed'>(
      'unavailable',
      'unanswered',
      'answerLost',
      'unauthorized',
      'rejected',
      'postponed',
    ),
  },
);

interface Plan extends Pick<Step, 'onError' | 'afterMs' | 'maxAgeMs'> {
  readonly reads: readonly string[];
  readonly becomes: keyof typeof BECOMES;
}

const PLAIN: Plan = { reads: [], becomes: 'one' };

/** Steps differ from a plain one in one way: with several, most attempts could not begin with their commit. */
const step = fc.record({
  accounts: fc.constantFrom(...ACCOUNTS.map((account) => [account]), ['x', 'mastodon'], ACCOUNTS),
  plan: fc.constantFrom<Plan>(
    PLAIN,
    PLAIN,
    { ...PLAIN, onError: 'stop' },
    { ...PLAIN, onError: 'stop' },
    { ...PLAIN, reads: ['s0'] },
    { ...PLAIN, reads: ['s0.own'] },
    { ...PLAIN, reads: ['s1.on.x'] },
    { ...PLAIN, becomes: 'list' },
    { ...PLAIN, becomes: 'thread' },
    { ...PLAIN, becomes: 'question' },
    { ...PLAIN, afterMs: 7_000 },
    { ...PLAIN, maxAgeMs: 1_000 },
  ),
});

const BECOMES = {
  one: (text: string) => ({ with: { text } }),
  list: (text: string) => ({ forEach: 'ada,grace', with: { text } }),
  thread: (text: string) => ({ fit: 'thread', with: { text: `${text}|2 ${text}` } }),
  question: (text: string) => ({ do: 'discord.ask', answerWithinMs: 5_000, with: { text } }),
} as const;

const scenario = fc.record({
  commits: fc.array(
    fc.record({
      episode: fc.constantFrom('ada@1', 'grace@1', 'kay@1'),
      steps: fc.array(step, { minLength: 1, maxLength: 3 }),
      seesBefore: fc.boolean(),
      /** The episode at the end of the slot; undefined: the rule has none. */
      stored: fc.constantFrom<'open' | 'closed' | undefined>(undefined, 'open', 'closed'),
      pauseMs: fc.constantFrom(1, 2_000, MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS, 60 * MINUTE_MS),
    }),
    { minLength: 2, maxLength: 6 },
  ),
  failures: fc.record({ x: fc.array(failure), mastodon: fc.array(failure), discord: fc.array(failure) }),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer S> ? S : never;

interface Outcome {
  readonly begun: number;
  readonly attempts: ReadonlyMap<string, readonly string[]>;
  /** The deliveries at the end, as texts. */
  readonly deliveries: readonly string[];
}

async function follow({ commits, failures }: Scenario, { begins }: { readonly begins: boolean }): Promise<Outcome> {
  await using running = await runEngine({
    render({ scope, ...due }) {
      const rendered = renderPlainly(due);
      return 'params' in rendered
        ? { params: { ...rendered.params, ...(scope['episode'] !== undefined && { of: scope['episode'] }) } }
        : rendered;
    },
  });
  const { engine, store, clock, platform } = running;
  const timesMs: number[] = [];
  // An attempt that begins before another one has ended shows in its time.
  platform.latencyMs = (account) => {
    timesMs.push(clock.nowMs() - SLOT_MS);
    return ANSWER_MS[account] ?? 0;
  };
  for (const [account, list] of Object.entries(failures)) {
    const toFailure = (one: (typeof list)[number]) =>
      one === 'postponed' ? new Postponed('not now', { until: new Date(SLOT_MS + 5 * MINUTE_MS) }) : one;
    platform.nextFailures.set(account, [undefined, ...list.map(toFailure)]);
  }
  // Each account gets its lane.
  await running.commit([firing([creating(ACCOUNTS)], { episode: 'first@1' })]);
  await clock.advance(MINUTE_MS);
  let begun = 0;
  let before: string | undefined;
  for (const [index, { episode, steps, seesBefore, stored, pauseMs }] of commits.entries()) {
    const slotMs = clock.nowMs();
    const planned = steps.map(({ accounts, plan: { becomes, ...more } }, position) =>
      creating(accounts, { id: `s${position}`, ...more, ...BECOMES[becomes](`${index} ${position}`) }),
    );
    const sees = seesBefore && before ? [before] : [];
    const scope = { rule: { id: 'live' }, now: new Date(slotMs).toISOString(), ...(stored && { episode: { open: true } }) };
    const fired = firing(planned, { episode, occasion: String(index), atMs: slotMs, sees, scope });
    before = fired.id;
    const put = { ...episodeOf(episode), key: episode, ...(stored === 'closed' && { closedMs: slotMs }) };
    const change = stored && { memory: NEW_STATE.memory, put: [put], drop: [] };
    await using attempts = begins ? await engine.beginWith({ firings: [fired], change }) : undefined;
    await store.ruleStates.commit(committing([fired], { slotMs, ...(change && { change }), begun: attempts?.begun }));
    begun += attempts?.begun.length ?? 0;
    await attempts?.[Symbol.asyncDispose]();
    engine.wake();
    await clock.advance(pauseMs);
  }
  await clock.advance(RUN_OUT_MS);
  // The accounts share the counter of the ids, and their order is not determined.
  const keys = new Map(platform.records.map(({ id, key }) => [`"${id}"`, key]));
  const toText = (value: unknown) => JSON.stringify(value).replaceAll(/"r\d+"/g, (id) => keys.get(id) ?? id);
  const made = platform.attempts.map(({ account, key, params }, index) => ({ account, line: toText([timesMs[index], key, params]) }));
  const attempts = new Map(
    [...Map.groupBy(made, ({ account }) => account)].map(([account, all]) => [account, all.map(({ line }) => line)]),
  );
  const { items } = await store.deliveryLog.list({ limit: 1_000, idle: true });
  return { begun, attempts, deliveries: items.map(toText).toSorted() };
}

/** A step that another account has to wait for, which few random scenarios have. */
const STOPPING: Scenario = {
  commits: [
    {
      episode: 'ada@1',
      steps: [
        { accounts: ['x'], plan: { ...PLAIN, onError: 'stop' } },
        { accounts: ['mastodon'], plan: PLAIN },
      ],
      seesBefore: false,
      stored: undefined,
      pauseMs: MINUTE_MS,
    },
  ],
  failures: { x: [], mastodon: [], discord: [] },
};

test('attempts that begin with their commit equal those that begin after it', async () => {
  let begun = 0;
  const property = fc.asyncProperty(scenario, async (one) => {
    const [after, with_] = [await follow(one, { begins: false }), await follow(one, { begins: true })];

    expect(with_.attempts).toEqual(after.attempts);
    expect(with_.deliveries).toEqual(after.deliveries);
    begun += with_.begun;
  });

  await fc.assert(property, { numRuns: runs(8, 200), examples: [[STOPPING]] });

  expect(begun).toBeGreaterThan(0);
});
