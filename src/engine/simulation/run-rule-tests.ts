import { canonical } from '#src/clients/operation/json.ts';
import type { Catalogue } from '#src/clients/operation/declared.ts';
import type { Rule } from '#src/rules/rule.ts';
import { checkCase, chooseRule } from '#src/engine/testing/check-case.ts';
import type { CaseResult, Instant } from '#src/engine/testing/case-result.ts';
import { compareSent, type Sent } from '#src/engine/testing/compare-sent.ts';
import { formatOffset, type RuleTests, type TestCase } from '#src/engine/testing/rule-tests.ts';
import type { Done } from '#src/engine/testing/outcome.ts';
import type { AccountFacts } from './account-facts.ts';
import { createCaseSchedule, type SlotGap } from './case-schedule.ts';
import { readTestLists } from '#src/engine/testing/test-lists.ts';
import { attemptBind } from '#src/rules/people/bind-lists.ts';
import { Simulation, type SimulatedEvents, type SimulationOptions } from './simulation.ts';
import { CaseWorld } from '#src/engine/testing/world/case-world.ts';

export interface RunOptions extends Pick<SimulationOptions, keyof AccountFacts> {
  readonly tests: RuleTests;
  /** The rule, or all its instances of `each`. */
  readonly rules: readonly Rule[];
  readonly catalogue: Catalogue;
}

/** Runs each case in a simulation of its rule. */
export async function runRuleTests({ tests, rules, replyFactsOf, ...others }: RunOptions): Promise<readonly CaseResult[]> {
  const { file, startMs } = tests;
  const options = { ...others, replyFactsOf: replyFactsOf && withoutPlatforms(replyFactsOf) };
  const results: CaseResult[] = [];
  for (const { it, line, ...one } of tests.cases) {
    const rule = chooseRule(rules, one.each);
    const result =
      typeof rule === 'string'
        ? { errors: [`line ${line}: ${rule}`], mismatches: [], instants: [] }
        : await runCase({ it, line, ...one }, { ...options, rule, startMs });
    const passed = result.errors.length + result.mismatches.length === 0;
    results.push({ file, line, it, passed, ...result });
  }
  return results;
}

/** The records of a case are of no platform. */
function withoutPlatforms(replyFactsOf: NonNullable<AccountFacts['replyFactsOf']>): typeof replyFactsOf {
  return (account) => {
    const facts = replyFactsOf(account);
    return facts && { keepAudience: facts.keepAudience };
  };
}

interface CaseOptions extends Pick<SimulationOptions, 'rule' | 'catalogue' | keyof AccountFacts> {
  readonly startMs: number;
}

async function runCase(
  one: TestCase,
  { startMs, ...options }: CaseOptions,
): Promise<Pick<CaseResult, 'errors' | 'mismatches' | 'instants'>> {
  const { rule } = options;
  let lists = readTestLists(one.lists ?? {});
  let bound = attemptBind(rule, lists);
  const errors = new Set(checkCase(one, rule));
  const world = new CaseWorld({ ...options, reportError: (error) => errors.add(error) });
  const events: SimulatedEvents[] = [];
  let simulation = new Simulation({ ...options, kept: one.keep, world });

  const notSlots: SlotGap[] = [];
  const schedule = createCaseSchedule(rule, startMs);

  for (const line of one.polls) {
    const slotMs = startMs + line.atMs;
    events.push(await simulation.runUntil(slotMs - 1));
    world.apply(line);
    if (line.lists) {
      lists = readTestLists(line.lists);
      bound = attemptBind(rule, lists);
    }
    if (line.restart) {
      simulation = new Simulation({ ...options, rule: 'failure' in bound ? rule : bound, world, snapshot: simulation.snapshot() });
      events.push(await simulation.runUntil(slotMs));
      continue;
    }
    const place = schedule.at(line);
    // The rule asked to run at this instant, so it polls between two slots.
    const isAwaited = typeof place === 'object' && place.error !== undefined && simulation.wakeMs === slotMs;
    if (typeof place === 'object' && !isAwaited) {
      if (place.error !== undefined) errors.add(place.error);
      notSlots.push(place);
      events.push(await simulation.runUntil(slotMs));
      continue;
    }
    const woken = place === 'first' || isAwaited;
    if ('failure' in bound) events.push(await simulation.slot({ slotMs, poll: bound, woken }));
    else {
      const command = world.useOf(line, slotMs);
      const webhook = world.webhookOf(line, slotMs);
      events.push(await simulation.slot({ slotMs, poll: world.pollOf(line, slotMs), rule: bound, command, webhook, woken }));
    }
  }
  // Deliveries behind a wait come after the last poll.
  for (let nextMs = simulation.nextMs(); nextMs !== undefined; nextMs = simulation.nextMs()) events.push(await simulation.runUntil(nextMs));

  world.end();

  const { kept } = simulation;
  for (const [name, value] of Object.entries(one.kept ?? {})) {
    const found = canonical(kept[name] ?? null);
    if (found !== canonical(value ?? null))
      errors.add(`line ${one.line}: the stored value ${name} is ${found}, expected ${canonical(value ?? null)}`);
  }

  const undone = events.flatMap((some) => some.undone);
  for (const { planned, message, atMs } of undone.filter(({ failed }) => failed)) {
    errors.add(`${formatOffset(atMs - startMs)} ${planned.step.do} as ${planned.account} failed: ${message}`);
  }
  const sent = events.flatMap(({ done }) => done.map((step) => toSent(step, startMs)));
  const decisions = events.flatMap((some) => some.decisions);
  return { errors: [...errors], mismatches: compareSent(one.expect, sent), instants: instantsOf({ decisions, undone, notSlots, startMs }) };
}

function toSent({ atMs, planned, firing, element = '', part, params, reads }: Done, startMs: number): Sent {
  const { step, account, index } = planned;
  return { atMs: atMs - startMs, do: step.do, account, params, step: `${firing} ${index}`, part: `${element} ${part}`, reads };
}

function instantsOf({
  decisions,
  undone,
  notSlots,
  startMs,
}: Pick<Instant, 'decisions' | 'undone'> & { readonly notSlots: readonly SlotGap[]; readonly startMs: number }): readonly Instant[] {
  const decided = Map.groupBy(decisions, ({ atMs }) => atMs);
  const left = Map.groupBy(undone, ({ atMs }) => atMs);
  const gaps = new Map(notSlots.map(({ atMs, nextMs }) => [startMs + atMs, { nextMs }]));
  const instants = [...new Set([...decided.keys(), ...left.keys(), ...gaps.keys()])].toSorted((a, b) => a - b);
  return instants.map((atMs) => ({
    atMs: atMs - startMs,
    decisions: decided.get(atMs) ?? [],
    undone: left.get(atMs) ?? [],
    notASlot: gaps.get(atMs),
  }));
}
