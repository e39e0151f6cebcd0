import { fc, runs } from '../../support/property.ts';
import { expect, test } from 'vitest';
import { PlatformError } from '#src/errors.ts';
import { silentLog } from '#src/log.ts';
import { isJsonObject, type Json } from '#src/clients/operation/json.ts';
import { readsAtEachPoll, removedParameter } from '#src/clients/operation/declared.ts';
import { createDeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import type { Poll } from '#src/rules/poll.ts';
import { renderStep } from '#src/rules/render.ts';
import type { TestPoll } from '#src/engine/testing/rule-tests.ts';
import { Simulation, type SimulatedEvents } from '#src/engine/simulation/simulation.ts';
import { CaseWorld } from '#src/engine/testing/world/case-world.ts';
import { openStore } from '#src/store/store.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { catalogue } from '../../support/rule-language.ts';
import { life, MINUTE, RULES, START_MS, type Life } from './restarts.ts';

/** The longest wait of these rules. */
const RUN_OUT_MS = 20 * MINUTE;

const textLimit = { most: 60, lengthOf: (text: string): number => text.length };

/** The delivery engine takes a while for each simulated minute. */
const MOST_LINES = 8;
const RUNS = runs(2, 60);

/** Without quiet hours, which only the scheduler ends, and without rules that retry for a day. */
const [CROWDED, CARD] = RULES;

test('a simulation and the delivery engine with a store do the same at the same instants', async () => {
  let done = 0;
  const loud = life.map(({ rule, lines }): Life => {
    const isCard = rule.id === CARD?.id;
    const one = isCard ? rule : (CROWDED ?? rule);
    return { rule: { ...one, quiet: undefined }, lines: lines.slice(0, MOST_LINES) };
  });

  await fc.assert(
    fc.asyncProperty(loud, async (one) => {
      const lines = one.lines.map((line) => ({ ...line, fail: line.fail.filter((name) => name === 'post.bluesky') }));
      const simulated = await simulate({ ...one, lines });

      expect(await produce({ ...one, lines })).toEqual(simulated);
      done += simulated.length;
    }),
    { numRuns: RUNS },
  );
  expect(done).toBeGreaterThan(2 * RUNS);
});

/** The result of every step in both engines. */
function resultOf(verb: string, account: string): Json {
  return { id: `${verb}-${account}`, url: `https://example.invalid/${account}`, items: [] };
}

function standIn({ rule }: Life): CaseWorld {
  return new CaseWorld({ rule, catalogue, reportError: () => undefined });
}

async function simulate(one: Life): Promise<readonly string[]> {
  const { rule, lines } = one;
  const polls = standIn(one);
  let line: TestPoll | undefined;
  const refused = new Set<string>();
  const simulation = new Simulation({
    rule,
    catalogue,
    textLimitOf: () => textLimit,
    world: {
      resultOf: ({ step, account }) => resultOf(step.do, account),
      refuses: ({ step, account, key }) => {
        if (line?.fail.includes(`${step.id}.${account}`)) refused.add(key);
        return refused.has(key);
      },
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
  const [last] = lines.slice(-1);
  events.push(await simulation.runUntil(START_MS + (last?.atMs ?? 0) + RUN_OUT_MS));
  return events
    .flatMap((some) => some.done)
    .map(({ atMs, planned: { step, account }, params }) => formatSent({ atMs, do: step.do, account, params }))
    .toSorted();
}

async function produce(one: Life): Promise<readonly string[]> {
  const { rule, lines } = one;
  const polls = standIn(one);
  const clock = new ManualClock(START_MS);
  await using store = await openStore({ clock });
  const { ruleStates, deliveries, deliveryLog } = store;
  const sent: string[] = [];
  const refused = new Set<string>();
  let line: TestPoll | undefined;
  const engine = createDeliveryEngine({
    deliveries,
    async perform({ do: verb, account, params, key }) {
      const { step } = (await deliveries.find(key)) ?? {};
      if (line?.fail.includes(`${step}.${account}`)) refused.add(key);
      if (refused.has(key)) throw new PlatformError('It is too much.', { platform: 'test', fault: 'rateLimited' });
      sent.push(formatSent({ atMs: clock.nowMs(), do: verb, account, params }));
      return resultOf(verb, account);
    },
    recover: () => Promise.resolve('absent'),
    render: ({ delivery: { section, account }, ...due }, results) =>
      renderStep({ ...due, section, account, results, textLimit, catalogue }),
    isQuestion: (verb) => verb === 'discord.ask',
    readsAtEachPoll: (verb) => readsAtEachPoll(catalogue.get(verb)),
    removes: (verb) => removedParameter(catalogue.get(verb)),
    random: () => 0.5,
    clock,
    log: silentLog,
  });
  const stop = new AbortController();
  const running = engine.run(stop.signal);
  for (const next of lines) {
    const slotMs = START_MS + next.atMs;
    await clock.advance(slotMs - 1 - clock.nowMs());
    line = next;
    await clock.advance(1);
    await answer();
    await commit(polls.pollOf(next, slotMs), slotMs);
    await answer();
  }
  await clock.advance(RUN_OUT_MS);
  stop.abort(new Error('it is over'));
  await clock.advance(MINUTE);
  await running;
  return sent.toSorted();

  async function commit(poll: Poll | undefined, slotMs: number): Promise<void> {
    const state = await ruleStates.load(rule.id);
    await ruleStates.commit({ rule: rule.id, slotMs, ...advance({ rule, state, poll, slotMs, woken: false }) });
    engine.wake();
    await clock.advance(0);
  }

  /** Answers all questions of the current line. */
  async function answer(): Promise<void> {
    for (;;) {
      const { items } = await deliveryLog.list({ state: 'asked' });
      const answers = items
        .flatMap(({ id, step }) => ({ id, answer: answerIn(line, step) }))
        .filter(({ answer: one }) => one !== undefined);
      if (answers.length === 0) return;
      for (const { id, answer: one = {} } of answers) await engine.answer(id, one);
      await clock.advance(0);
    }
  }
}

function answerIn(line: TestPoll | undefined, step: string | undefined): ReturnType<CaseWorld['answerTo']> {
  const answer = line?.answers[step ?? ''];
  return isJsonObject(answer) ? answer : undefined;
}

function formatSent({
  atMs,
  ...what
}: {
  readonly atMs: number;
  readonly do: string;
  readonly account: string;
  readonly params: Json;
}): string {
  return `${new Date(atMs).toISOString()} ${JSON.stringify(what)}`;
}
