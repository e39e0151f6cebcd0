import type { Catalogue } from '#src/operation/catalogue.ts';
import type { Decision } from '../decision.ts';
import type { Rule } from '../rule.ts';
import { atText } from './at-text.ts';
import { chooseRule } from './choose-rule.ts';
import { judge, type Mismatch, type Sent } from './judging/judge.ts';
import type { RuleTests, TestCase } from './rule-tests.ts';
import { Simulation, type Done, type Happened, type SimulationOptions, type Undone } from './simulation.ts';
import { strangers } from './strangers.ts';
import { StandIn } from './world/stand-in.ts';

/** How one case went. */
export interface CaseResult {
  readonly file: string;
  /** Where the case stands in the file, from 1. */
  readonly line: number;
  readonly it: string;
  readonly passed: boolean;
  readonly mismatches: readonly Mismatch[];
  /** What is wrong with the case or the rule itself: a record that cannot be, a step that cannot be rendered. */
  readonly complaints: readonly string[];
  /** What the rule decided, and what it did not do, at each instant after the start. */
  readonly instants: readonly Instant[];
}

/** What happened at an instant of a case. */
export interface Instant {
  /** After the start. */
  readonly atMs: number;
  readonly decisions: readonly Decision[];
  readonly undone: readonly Undone[];
}

export interface RunOptions extends Pick<SimulationOptions, 'textLimitOf'> {
  readonly tests: RuleTests;
  /** The rule, or all that `each` makes of it. */
  readonly rules: readonly Rule[];
  readonly catalogue: Catalogue;
}

/** Runs the cases, each for itself, through the machinery that runs in production. */
export function runRuleTests({ tests, rules, ...options }: RunOptions): readonly CaseResult[] {
  return tests.cases.map((one) => {
    const rule = chooseRule(rules, one.each);
    const { file, startMs } = tests;
    const result =
      typeof rule === 'string'
        ? { complaints: [`line ${one.line}: ${rule}`], mismatches: [], instants: [] }
        : runCase(one, { ...options, rule, startMs });
    const passed = result.complaints.length + result.mismatches.length === 0;
    return { file, line: one.line, it: one.it, passed, ...result };
  });
}

interface CaseOptions extends Pick<SimulationOptions, 'rule' | 'catalogue' | 'textLimitOf'> {
  readonly startMs: number;
}

function runCase(one: TestCase, { startMs, ...options }: CaseOptions): Pick<CaseResult, 'complaints' | 'mismatches' | 'instants'> {
  const { rule } = options;
  const complaints = new Set(strangers(one, rule));
  const world = new StandIn({ ...options, complain: (complaint) => complaints.add(complaint) });
  const happened: Happened[] = [];
  let simulation = new Simulation({ ...options, world });

  for (const line of one.polls) {
    const slotMs = startMs + line.atMs;
    happened.push(simulation.runUntil(slotMs - 1));
    world.turnTo(line);
    if (line.restart) {
      simulation = new Simulation({ ...options, world, written: simulation.written() });
      happened.push(simulation.runUntil(slotMs));
    } else happened.push(simulation.slot({ slotMs, poll: world.pollOf(line, slotMs) }));
  }
  // What waits for a time is waited for.
  for (let nextMs = simulation.nextMs(); nextMs !== undefined; nextMs = simulation.nextMs()) happened.push(simulation.runUntil(nextMs));

  world.end();

  const undone = happened.flatMap((some) => some.undone);
  for (const { planned, reason, atMs } of undone.filter(({ failed }) => failed)) {
    complaints.add(`${atText(atMs - startMs)} ${planned.step.do} as ${planned.account} cannot be done: ${reason}`);
  }
  const sent = happened.flatMap(({ done }) => done.map((step) => toSent(step, startMs)));
  const decisions = happened.flatMap((some) => some.decisions);
  return { complaints: [...complaints], mismatches: judge(one.expect, sent), instants: instantsOf({ decisions, undone, startMs }) };
}

function toSent({ atMs, planned, firing, element = '', part, params, reads }: Done, startMs: number): Sent {
  const { step, account, index } = planned;
  return { atMs: atMs - startMs, do: step.do, account, params, step: `${firing} ${index}`, part: `${element} ${part}`, reads };
}

function instantsOf({
  decisions,
  undone,
  startMs,
}: Pick<Instant, 'decisions' | 'undone'> & { readonly startMs: number }): readonly Instant[] {
  const decided = Map.groupBy(decisions, ({ atMs }) => atMs);
  const left = Map.groupBy(undone, ({ atMs }) => atMs);
  const instants = [...new Set([...decided.keys(), ...left.keys()])].toSorted((a, b) => a - b);
  return instants.map((atMs) => ({ atMs: atMs - startMs, decisions: decided.get(atMs) ?? [], undone: left.get(atMs) ?? [] }));
}
