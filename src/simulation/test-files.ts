import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { TestRun } from '#src/queries/rule-files.ts';
import { TEXT_LIMITS, type TextLimit } from '#src/operation/text/limit.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import { readRegularFile } from '#src/rules/regular-file.ts';
import { Report } from '#src/rules/document/report.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import { clientOf } from '#src/rules/check/choose-accounts.ts';
import { allSteps, type Rule } from '#src/rules/rule.ts';
import { formatCase } from '#src/rules/testing/format-case.ts';
import { readRuleTests } from '#src/rules/testing/read-rule-tests.ts';
import { catalogue } from '#src/catalogue.ts';

/** More than a test file of the largest size takes in UTF-8. */
const MOST_BYTES = 1_048_576;
const TEST_FILE = /\.test(\.ya?ml)$/u;

/** The rule file of a test file; any other file is returned unchanged. */
export function ruleFileOf(file: string): string {
  return file.replace(TEST_FILE, '$1');
}

/** Runs the tests beside the rules. */
export async function runTests(
  rules: readonly Rule[],
  { diagnostics, accounts }: { readonly diagnostics: readonly Diagnostic[]; readonly accounts: Accounts },
): Promise<TestRun> {
  const files = [...Map.groupBy(rules, ({ file }) => file).values()];
  const runs = await Promise.all(files.map((ones) => testsBeside(ones, accounts)));
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
  if (TEST_FILE.test(path)) return existsSync(path) ? [path] : [];
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => !entry.isDirectory() && TEST_FILE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).replaceAll('\\', '/'))
    .filter((file) => !/(^|\/)\.[^./]/u.test(file.slice(path.length)));
}

/** Runs the tests of a rule file with all its instances. */
async function testsBeside(rules: readonly Rule[], accounts: Accounts): Promise<Pick<TestRun, 'diagnostics' | 'cases'> | undefined> {
  const [rule] = rules;
  if (!rule) return undefined;
  const file = rule.file.replace(/(\.ya?ml)$/, '.test$1');
  const content = await readRegularFile(file, MOST_BYTES).catch(() => undefined);
  if (!content) return undefined;
  if ('unreadable' in content) {
    const report = new Report(file, '');
    report.error({ path: [], offset: 0 }, 'unreadable-file', 'the file cannot be read', content.unreadable);
    return { diagnostics: report.diagnostics, cases: [] };
  }
  const source = new TextDecoder().decode(content.bytes);
  const { tests, diagnostics } = readRuleTests({ file, source, beside: rule.name });
  if (!tests) return { diagnostics, cases: [] };
  const limits: Readonly<Record<string, TextLimit>> = { ...TEXT_LIMITS, ...accounts['social']?.textLimits };
  const textLimitOf = (account: string): TextLimit | undefined => limits[account];
  // Checking rules does not load the delivery engine.
  const { runRuleTests } = await import('./run-rule-tests.ts');
  const results = await runRuleTests({ tests, rules, catalogue, textLimitOf });
  return {
    diagnostics,
    cases: results.map((result) => ({ rule: rule.name, passed: result.passed, print: (options) => formatCase(result, options) })),
  };
}
