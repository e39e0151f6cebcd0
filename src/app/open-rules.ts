import { readFile } from 'node:fs/promises';
import type { RuleShelf, TestRun } from '#src/cli/rule-shelf.ts';
import { readConfig } from '#src/config/config.ts';
import { loadRules } from '#src/rules/load.ts';
import type { TextLimit } from '#src/operation/text/limit.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import type { Problem } from '#src/rules/problem.ts';
import { printProblem } from '#src/rules/print-problem.ts';
import type { Rule } from '#src/rules/rule.ts';
import { ruleSchema } from '#src/rules/schema.ts';
import { printCase } from '#src/rules/testing/print-case.ts';
import { readRuleTests } from '#src/rules/testing/read-rule-tests.ts';
import { runRuleTests } from '#src/rules/testing/run-rule-tests.ts';
import { accountsOf } from './accounts.ts';
import { catalogue } from './catalogue.ts';

/** The rules of the installation that `environment` describes, as the commands look at them. */
export function openRules(environment: Readonly<Record<string, string | undefined>>): RuleShelf {
  const config = readConfig(environment);
  const accounts = accountsOf(config);
  const load: RuleShelf['load'] = async (paths) => {
    const chosen = paths.length > 0 ? paths : [config.rulesDirectory];
    const { rules, problems, files } = await loadRules({ paths: chosen, catalogue, accounts, nowMs: Date.now() });
    return { rules, problems, files: files.length };
  };

  return {
    load,
    runTests: async (paths) => {
      const { rules, problems } = await load(paths.map((path) => path.replace(/\.test(\.ya?ml)$/, '$1')));
      return runAll(rules, { problems, accounts });
    },
    schema: () => ruleSchema(catalogue),
    printProblem,
  };
}

async function runAll(
  rules: readonly Rule[],
  { problems, accounts }: { readonly problems: readonly Problem[]; readonly accounts: Accounts },
): Promise<TestRun> {
  const files = [...Map.groupBy(rules, ({ file }) => file).values()];
  const runs = await Promise.all(files.map((ones) => testsBeside(ones, accounts)));
  return {
    problems: [...problems, ...runs.flatMap((run) => run?.problems ?? [])].filter(({ severity }) => severity === 'error'),
    untested: files.flatMap(([first], index) => (first && runs[index] === undefined ? [first.name] : [])),
    cases: runs.flatMap((run) => run?.cases ?? []),
  };
}

/** The tests beside a file, with all rules that it stands for. */
async function testsBeside(rules: readonly Rule[], accounts: Accounts): Promise<Omit<TestRun, 'untested'> | undefined> {
  const [rule] = rules;
  if (!rule) return undefined;
  const file = rule.file.replace(/(\.ya?ml)$/, '.test$1');
  const source = await readFile(file, 'utf8').catch(() => undefined);
  if (source === undefined) return undefined;
  const { tests, problems } = readRuleTests({ file, source, beside: rule.name });
  if (!tests) return { problems, cases: [] };
  const textLimitOf = (account: string): TextLimit | undefined => accounts['social']?.textLimits?.[account];
  const results = runRuleTests({ tests, rules, catalogue, textLimitOf });
  return { problems, cases: results.map((result) => ({ passed: result.passed, print: (options) => printCase(result, options) })) };
}
