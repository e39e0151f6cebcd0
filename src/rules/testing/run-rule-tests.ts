import type { Catalogue } from '#src/operation/catalogue.ts';
import type { Decision } from '../decision.ts';
import type { Rule } from '../rule.ts';
import { durationText } from '../wording/duration-text.ts';
import { judge, type Mismatch, type Sent } from './judging/judge.ts';
import type { RuleTests, TestCase, TestPoll } from './rule-tests.ts';
import { Simulation, type Undone } from './simulation.ts';
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
  readonly slots: readonly { readonly atMs: number; readonly decisions: readonly Decision[]; readonly undone: readonly Undone[] }[];
}

/** Runs the cases, each for itself, through the machinery that runs in production. */
export function runRuleTests({
  tests,
  rule,
  catalogue,
}: {
  readonly tests: RuleTests;
  readonly rule: Rule;
  readonly catalogue: Catalogue;
}): readonly CaseResult[] {
  return tests.cases.map((one) => runCase(one, { tests, rule, catalogue }));
}

function runCase(
  { it, line, polls, expect }: TestCase,
  { tests, rule, catalogue }: { readonly tests: RuleTests; readonly rule: Rule; readonly catalogue: Catalogue },
): CaseResult {
  const complaints = new Set<string>();
  const sent: Sent[] = [];
  const slots: CaseResult['slots'][number][] = [];
  const world = new StandIn({ rule, catalogue, complain: (complaint) => complaints.add(complaint) });
  let simulation = new Simulation({ rule, catalogue });

  for (const one of polls) {
    for (const complaint of strangers(one, rule)) complaints.add(complaint);
    if (one.restart) {
      simulation = new Simulation({ rule, catalogue, written: simulation.written() });
      continue;
    }
    const { atMs } = one;
    const slotMs = tests.startMs + atMs;
    const { done, undone, decisions } = simulation.slot({
      slotMs,
      poll: world.pollOf(one, slotMs),
      resultOf: (planned) => world.resultOf(planned, one, slotMs),
      refuses: ({ step, account }) => one.fail.includes(`${step.id}.${account}`),
    });
    sent.push(
      ...done.map(({ planned: { step, account, index }, firing, params, reads }) => {
        return { atMs, do: step.do, account, params, step: `${firing} ${index}`, reads };
      }),
    );
    for (const { planned, reason } of undone.filter(({ failed }) => failed)) {
      complaints.add(`${durationText(atMs)} ${planned.step.do} as ${planned.account} cannot be done: ${reason}`);
    }
    slots.push({ atMs, decisions, undone });
  }

  const mismatches = judge(expect, sent);
  return { file: tests.file, line, it, passed: mismatches.length + complaints.size === 0, mismatches, complaints: [...complaints], slots };
}

/** Steps and targets that a line names and the rule does not have. */
function strangers({ line, answers, fail }: TestPoll, rule: Rule): readonly string[] {
  const steps = [...rule.then, ...rule.while, ...rule.finally];
  const isTarget = (name: string): boolean => steps.some(({ id, as }) => as.some((account) => name === `${id}.${account}`));
  return [...Object.keys(answers).filter((name) => !steps.some(({ id }) => id === name)), ...fail.filter((name) => !isTarget(name))].map(
    (name) => `line ${line}: the rule has no step ${name.replace('.', ' through ')}`,
  );
}
