import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Explanation, RuleShelf, TestRun } from '#src/cli/rule-shelf.ts';
import { readConfig, type Config } from '#src/config/config.ts';
import { costOf } from '#src/planner/cost.ts';
import type { Decision } from '#src/rules/decision.ts';
import { loadRules } from '#src/rules/load.ts';
import type { Problem } from '#src/rules/problem.ts';
import { printProblem } from '#src/rules/print-problem.ts';
import type { Rule } from '#src/rules/rule.ts';
import { ruleSchema } from '#src/rules/schema.ts';
import { printCase } from '#src/rules/testing/print-case.ts';
import { readRuleTests } from '#src/rules/testing/read-rule-tests.ts';
import { runRuleTests } from '#src/rules/testing/run-rule-tests.ts';
import { slotsOf } from '#src/scheduler/slots.ts';
import { accountsOf } from './accounts.ts';
import { catalogue } from './catalogue.ts';
import { isOn } from './is-on.ts';
import { scheduleText } from './schedule-text.ts';

const DAY_MS = 86_400_000;
const RUNS_SHOWN = 5;
const DECISIONS_SHOWN = 10;

/** The rules of the installation that `environment` describes, as the commands look at them. */
export function openRules(environment: Readonly<Record<string, string | undefined>>): RuleShelf {
  const config = readConfig(environment);
  const load: RuleShelf['load'] = async (paths) => {
    const chosen = paths.length > 0 ? paths : [config.rulesDirectory];
    const { rules, problems, files } = await loadRules({ paths: chosen, catalogue, accounts: accountsOf(config) });
    return { rules, problems, files: files.length };
  };

  return {
    load,
    runTests: async (paths) => {
      const { rules, problems } = await load(paths.map((path) => path.replace(/\.test(\.ya?ml)$/, '$1')));
      return runAll(rules, problems);
    },
    async explain(id) {
      const { rules } = await load([]);
      const rule = rules.find((one) => one.id === id);
      return rule && explainRule(rule, { all: rules, config });
    },
    schema: () => ruleSchema(catalogue),
    printProblem,
  };
}

async function runAll(rules: readonly Rule[], problems: readonly Problem[]): Promise<TestRun> {
  const runs = await Promise.all(rules.map(testsBeside));
  return {
    problems: [...problems, ...runs.flatMap((run) => run?.problems ?? [])].filter(({ severity }) => severity === 'error'),
    untested: rules.filter((_, index) => runs[index] === undefined).map(({ id }) => id),
    cases: runs.flatMap((run) => run?.cases ?? []),
  };
}

async function testsBeside(rule: Rule): Promise<Omit<TestRun, 'untested'> | undefined> {
  const file = rule.file.replace(/(\.ya?ml)$/, '.test$1');
  const source = await readFile(file, 'utf8').catch(() => undefined);
  if (source === undefined) return undefined;
  const { tests, problems } = readRuleTests({ file, source, beside: rule.id });
  if (!tests) return { problems, cases: [] };
  const results = runRuleTests({ tests, rule, catalogue });
  return { problems, cases: results.map((result) => ({ passed: result.passed, print: (options) => printCase(result, options) })) };
}

async function explainRule(rule: Rule, { all, config }: { readonly all: readonly Rule[]; readonly config: Config }): Promise<Explanation> {
  const nowMs = Date.now();
  const slots = slotsOf(rule.schedule);
  const nextRuns: Date[] = [];
  for (let atMs = slots.next(nowMs); atMs !== undefined && nextRuns.length < RUNS_SHOWN; atMs = slots.next(atMs))
    nextRuns.push(new Date(atMs));
  return {
    rule,
    on: isOn(rule, config),
    schedule: scheduleText(rule.schedule),
    timezone: 'timezone' in rule.schedule ? rule.schedule.timezone : 'UTC',
    nextRuns,
    ...costOf(rule, { all, runsPerMinute: runsPerMinute(rule, nowMs) }),
    decisions: await lastDecisions(rule, config),
  };
}

/** How often a rule runs, on the average of a day from now. */
function runsPerMinute({ schedule }: Rule, nowMs: number): number {
  if ('everyMs' in schedule) return 60_000 / schedule.everyMs;
  const slots = slotsOf(schedule);
  let runs = 0;
  for (let atMs = slots.next(nowMs); atMs !== undefined && atMs <= nowMs + DAY_MS; atMs = slots.next(atMs)) runs++;
  return runs / (DAY_MS / 60_000);
}

async function lastDecisions({ id }: Rule, { dataDirectory }: Config): Promise<readonly Decision[]> {
  const file = join(dataDirectory, 'fanfare.sqlite');
  if (!existsSync(file)) return [];
  const { openStore } = await import('#src/store/store.ts');
  await using store = await openStore({ file });
  const { items } = await store.decisions.list({ rule: id, limit: DECISIONS_SHOWN });
  return items;
}
