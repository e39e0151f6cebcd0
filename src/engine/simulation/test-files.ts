import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { TestRun } from '#src/engine/simulation/rule-files.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import { Report } from '#src/rules/document/report.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import { clientOf } from '#src/rules/check/choose-accounts.ts';
import { allSteps, type Rule } from '#src/rules/rule.ts';
import { walkFolder } from '#src/rules/walk-folder.ts';
import { formatCase } from '#src/engine/testing/format-case.ts';
import { readRuleTests } from '#src/engine/testing/read-rule-tests.ts';
import { isTestFile, ruleFileOf, testFileOf, type TestText } from '#src/engine/testing/test-files.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { lateModule, wantsLate } from '#src/errors.ts';

/** The delivery engine, which a check of rules does not need. */
const loadSimulation = lateModule('the simulation', () => Promise.all([import('./run-rule-tests.ts'), import('./account-facts.ts')]));
wantsLate(loadSimulation);

/** Reads a test file; undefined if it does not exist. */
type ReadTests = (file: string) => Promise<TestText | undefined>;

export interface RunTestsOptions {
  readonly diagnostics: readonly Diagnostic[];
  readonly accounts: Accounts;
  readonly read: ReadTests;
}

/** Runs the tests beside the rules. */
export async function runTests(rules: readonly Rule[], { diagnostics, accounts, read }: RunTestsOptions): Promise<TestRun> {
  const files = [...Map.groupBy(rules, ({ file }) => file).values()];
  const runs = await Promise.all(files.map((ones) => testsBeside(ones, { accounts, read })));
  const tested = files.filter((_ones, index) => runs[index] !== undefined).flat();
  return {
    simulatedAccounts: [...new Set(tested.flatMap((rule) => unconnectedAccounts(rule, accounts)))],
    diagnostics: [...diagnostics, ...runs.flatMap((run) => run?.diagnostics ?? [])].filter(({ severity }) => severity === 'error'),
    untested: files.flatMap(([first], index) => (first && runs[index] === undefined ? [first.name] : [])),
    cases: runs.flatMap((run) => run?.cases ?? []),
  };
}

function unconnectedAccounts(rule: Rule, accounts: Accounts): readonly string[] {
  const { watched } = rule;
  const uses = [
    ...(watched ? [{ verb: watched.verb, as: watched.accounts }] : []),
    ...allSteps(rule).map((step) => ({ verb: step.do, as: step.as })),
  ];
  return uses.flatMap(({ verb, as }) => as.filter((account) => accounts[clientOf(verb)]?.all.includes(account) !== true));
}

/** An error for each test file below `paths` without a rule file, because its tests would never run. */
export async function orphansBelow(paths: readonly string[]): Promise<readonly Diagnostic[]> {
  const files = (await Promise.all(paths.map(testFilesBelow))).flat();
  return [...new Set(files)]
    .toSorted((a, b) => (a < b ? -1 : 1))
    .filter((file) => !existsSync(ruleFileOf(file)))
    .map((file) => ({
      severity: 'error',
      code: 'tests-without-rule',
      file,
      line: 1,
      column: 1,
      path: '',
      message: `the rule of these tests is missing: ${basename(ruleFileOf(file))} does not exist`,
      hint: 'give the test file the name of its rule file, with .test.yaml at the end',
      excerpt: '',
    }));
}

async function testFilesBelow(path: string): Promise<readonly string[]> {
  if (isTestFile(path)) return existsSync(path) ? [path] : [];
  const { files } = await walkFolder(path).catch(() => ({ files: [] }));
  return files.filter(isTestFile);
}

/** Runs the tests of a rule file with all its instances. */
async function testsBeside(
  rules: readonly Rule[],
  { accounts, read }: { readonly accounts: Accounts; readonly read: ReadTests },
): Promise<Pick<TestRun, 'diagnostics' | 'cases'> | undefined> {
  const [rule] = rules;
  if (!rule) return undefined;
  const file = testFileOf(rule.file);
  const content = await read(file);
  if (!content) return undefined;
  if ('unreadable' in content) {
    const report = new Report(file, '');
    report.error({ path: [], offset: 0 }, 'unreadable-file', 'the file cannot be read', content.unreadable);
    return { diagnostics: report.diagnostics, cases: [] };
  }
  const { tests, diagnostics } = readRuleTests({ file, source: content.text, beside: rule.name });
  if (!tests) return { diagnostics, cases: [] };
  const [{ runRuleTests }, { accountFacts }] = await loadSimulation();
  const results = await runRuleTests({ tests, rules, catalogue, ...accountFacts(accounts) });
  return {
    diagnostics,
    cases: results.map((result) => ({ rule: rule.name, passed: result.passed, print: (options) => formatCase(result, options) })),
  };
}
