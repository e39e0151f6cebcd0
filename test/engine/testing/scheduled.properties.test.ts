import { expect, test } from 'vitest';
import { removedParameter, readsAtEachPoll } from '#src/clients/operation/declared.ts';
import { isJsonObject, type Json } from '#src/clients/operation/json.ts';
import { createDeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import { createScheduler } from '#src/engine/scheduler/scheduler.ts';
import { Simulation, type SimulatedEvents } from '#src/engine/simulation/simulation.ts';
import type { TestPoll } from '#src/engine/testing/rule-tests.ts';
import { CaseWorld } from '#src/engine/testing/world/case-world.ts';
import { silentLog } from '#src/log.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import type { Poll } from '#src/rules/poll.ts';
import { renderStep } from '#src/rules/render.ts';
import type { Rule } from '#src/rules/rule.ts';
import { openStore } from '#src/store/store.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { fc, runs } from '../../support/property.ts';
import { catalogue } from '../../support/rule-language.ts';
import { namedRule, randomRule, type RandomRule } from './random-rules.ts';

const START_MS = Date.parse('2026-11-20T18:00:00Z');
const SECOND_MS = 1_000;
const CRON_MS = 120_000;
/** The list stays unchanged for so long at the end, so that what waits comes due. */
const RUN_OUT_MS = 8 * 60_000;
const RUNS = runs(2, 40);

/** What happens to a running program that must not change any announcement. */
const ACTS = ['restart', 'edit', 'rename', 'gone'] as const;

interface History {
  readonly one: RandomRule;
  readonly lines: readonly TestPoll[];
  readonly acts: readonly { readonly atS: number; readonly kind: (typeof ACTS)[number] }[];
  readonly endMs: number;
}

const item = fc.record(
  {
    key: fc.constantFrom('ada', 'grace', 'linus'),
    id: fc.constantFrom('first', 'second'),
    title: fc.constantFrom('One', 'Two'),
    viewerCount: fc.constantFrom(40, 60, 80),
    language: fc.constantFrom('en', 'de'),
  },
  { requiredKeys: ['key', 'viewerCount', 'language'] },
);

const stay = fc.record({
  items: fc.option(fc.uniqueArray(item, { selector: ({ key }) => key, maxLength: 3 }), { freq: 9, nil: undefined }),
  polls: fc.constantFrom(1, 1, 2, 3, 4),
  verdict: fc.constantFrom(undefined, undefined, 'b'),
});

const history: fc.Arbitrary<History> = fc
  .record({
    one: randomRule,
    stays: fc.array(stay, { minLength: 3, maxLength: 10 }),
    acts: fc.array(fc.record({ atS: fc.nat(900), kind: fc.constantFrom(...ACTS) }), { maxLength: 5 }),
  })
  .map(({ one, stays, acts }) => {
    const { schedule, watched, then } = one.rule;
    const everyMs = 'everyMs' in schedule ? schedule.everyMs : CRON_MS;
    const asks = then.some(({ id }) => id === 'verdict');
    const lines: TestPoll[] = [];
    for (const { items, verdict, polls } of stays) {
      // A failed poll of a rule with `cron` is repeated between its slots, which a case does not do.
      const isFailed = items === undefined && 'everyMs' in schedule;
      const read = watched ? (isFailed ? { error: 'unavailable' } : { items: items ?? [] }) : {};
      const answers = asks && verdict !== undefined ? { verdict: { choice: verdict } } : {};
      for (let poll = 0; poll < polls; poll++)
        lines.push({ atMs: lines.length * everyMs, line: 1, restart: false, fail: [], ...read, answers });
    }
    const endMs = lines.length * everyMs + RUN_OUT_MS;
    const last = lines.at(-1);
    while (last && lines.length * everyMs < endMs) lines.push({ ...last, atMs: lines.length * everyMs, answers: {} });
    return { one, lines, acts, endMs };
  });

test('a test of a rule and the running engine send the same at the same instants, with restarts, edits and renames in between', async () => {
  let done = 0;

  await fc.assert(
    fc.asyncProperty(history, async (some) => {
      const simulated = await simulate(some);

      expect(await produce(some)).toEqual(simulated);
      done += simulated.length;
    }),
    { numRuns: RUNS },
  );
  expect(done).toBeGreaterThan(0);
});

/** The result of every step in both engines. */
function resultOf(verb: string, account: string): Json {
  return { id: `${verb}-${account}`, url: `https://example.invalid/${account}` };
}

async function simulate({ one: { rule }, lines, endMs }: History): Promise<readonly string[]> {
  const polls = new CaseWorld({ rule, catalogue, reportError: () => undefined });
  let line: TestPoll | undefined;
  const simulation = new Simulation({
    rule,
    catalogue,
    world: {
      resultOf: ({ step, account }) => resultOf(step.do, account),
      answerTo: ({ step }) => answerIn(line, step.id),
    },
  });
  const events: SimulatedEvents[] = [];
  for (const next of lines) {
    const slotMs = START_MS + next.atMs;
    events.push(await simulation.runUntil(slotMs - 1));
    line = next;
    events.push(await simulation.slot({ slotMs, poll: polls.pollOf(next, slotMs) }));
  }
  events.push(await simulation.runUntil(START_MS + endMs - 1));
  return events
    .flatMap((some) => some.done)
    .map(({ atMs, planned: { step, account }, params }) => formatSent(atMs, { do: step.do, account, params }))
    .toSorted();
}

async function produce({ one: { source, rule: first }, lines, acts, endMs }: History): Promise<readonly string[]> {
  const clock = new ManualClock(START_MS);
  await using store = await openStore({ clock });
  const { ruleStates, deliveries, deliveryLog } = store;
  const polls = new CaseWorld({ rule: first, catalogue, reportError: () => undefined });
  const asks = first.then.some(({ id }) => id === 'verdict');
  const sent: string[] = [];
  let rule = first;
  let line: TestPoll | undefined;
  let poll: Poll | undefined;
  let edits = 0;
  let running = await start();

  async function start() {
    const engine = createDeliveryEngine({
      deliveries,
      async perform({ do: verb, account, params }) {
        sent.push(formatSent(clock.nowMs(), { do: verb, account, params }));
        return resultOf(verb, account);
      },
      recover: () => Promise.resolve('absent'),
      render: ({ delivery: { section, account }, ...due }, results) => renderStep({ ...due, section, account, results, catalogue }),
      isQuestion: (verb) => verb === 'discord.ask',
      readsAtEachPoll: (verb) => readsAtEachPoll(catalogue.get(verb)),
      removes: (verb) => removedParameter(catalogue.get(verb)),
      random: () => 0.5,
      clock,
      log: silentLog,
    });
    const scheduler = await createScheduler({
      rules: [rule],
      states: ruleStates,
      read: async (due, onPoll) => {
        for (const one of due) await onPoll(one.rule.id, poll ?? { failure: 'there is no poll' });
      },
      advance,
      isIdle: engine.isIdle,
      beginWith: engine.beginWith,
      onCommit: () => engine.wake(),
      clock,
      log: silentLog,
    });
    const stop = new AbortController();
    const ended = engine.run(stop.signal);
    return {
      engine,
      scheduler,
      async stop(): Promise<void> {
        stop.abort(new Error('it is over'));
        await clock.advance(0);
        await ended;
      },
    };
  }

  function edited(id: string): Rule {
    const next = namedRule(source, { id, about: `version ${++edits}` });
    if (!next) throw new Error('a description makes no rule invalid');
    return next;
  }

  async function act(kind: (typeof ACTS)[number]): Promise<void> {
    const { scheduler, engine } = running;
    const was = rule.id;
    switch (kind) {
      case 'restart':
        await running.stop();
        running = await start();
        break;
      case 'edit':
        rule = edited(was);
        await scheduler.apply({ put: [rule], drop: [] });
        break;
      case 'rename':
        rule = edited(`r${edits}`);
        await scheduler.apply({ put: [], drop: [was, rule.id] });
        await ruleStates.rename({ from: was, to: rule.id });
        await scheduler.apply({ put: [rule], drop: [] });
        break;
      case 'gone':
        await scheduler.apply({ put: [], drop: [was] });
        await ruleStates.retire(was);
        await ruleStates.reinstate([was]);
        await scheduler.apply({ put: [rule], drop: [] });
    }
    engine.wake();
    await clock.advance(0);
  }

  /** Answers all questions of the current line. */
  async function answer(): Promise<void> {
    for (let isAnswered = asks; isAnswered;) {
      isAnswered = false;
      for (const { id, step } of (await deliveryLog.list({ state: 'asked' })).items) {
        const given = answerIn(line, step);
        if (given) isAnswered = (await running.engine.answer(id, given)) !== undefined;
      }
      await clock.advance(0);
    }
  }

  /** The next instant at which something happens, since the start. */
  function nextMs(nowMs: number): number {
    const isAnswering = asks && line !== undefined && Object.keys(line.answers).length > 0;
    const soonestMs = Math.ceil((running.scheduler.dueTimes?.soonestMs() ?? Infinity) / SECOND_MS) * SECOND_MS - START_MS;
    const instants = [...lines.map(({ atMs }) => atMs), ...acts.map(({ atS }) => atS * SECOND_MS), soonestMs, endMs];
    return isAnswering ? nowMs + SECOND_MS : Math.min(...instants.filter((atMs) => atMs > nowMs));
  }

  for (let nowMs = 0; nowMs < endMs;) {
    const found = lines.find(({ atMs }) => atMs === nowMs);
    if (found) {
      line = found;
      poll = polls.pollOf(found, START_MS + nowMs);
    }
    for (const { atS, kind } of acts) if (atS * SECOND_MS === nowMs) await act(kind);
    await answer();
    const ticking = running.scheduler.tick();
    await clock.advance(0);
    await ticking;
    await answer();
    const untilMs = nextMs(nowMs);
    // The simulation stops before this instant.
    await clock.advance(Math.min(untilMs, endMs - 1) - nowMs);
    nowMs = untilMs;
  }
  await running.stop();
  return sent.toSorted();
}

function answerIn(line: TestPoll | undefined, step: string | undefined): ReturnType<CaseWorld['answerTo']> {
  const answer = line?.answers[step ?? ''];
  return isJsonObject(answer) ? answer : undefined;
}

function formatSent(atMs: number, what: { readonly do: string; readonly account: string; readonly params: Json }): string {
  return `${new Date(atMs).toISOString()} ${JSON.stringify(what)}`;
}
