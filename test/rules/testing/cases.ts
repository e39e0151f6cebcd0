import { printCase } from '#src/rules/testing/print-case.ts';
import { readRuleTests } from '#src/rules/testing/read-rule-tests.ts';
import { runRuleTests } from '#src/rules/testing/run-rule-tests.ts';
import type { TextLimit } from '#src/operation/text/limit.ts';
import { catalogue, rulesOf } from '../../support/rule-language.ts';

/** How one case of a rule goes, as `fanfare test` prints it; posts on bluesky have 25 characters at most. */
export function runCases(rule: string, body: string): readonly string[] {
  const [{ name } = { name: '' }] = rulesOf(rule);
  const source = `rule: ${name}\nstart: 2026-11-20T18:00:00Z\ncases:\n    - it: works${body}`;
  return fileCases(rule, { file: 'rules/x.test.yaml', source, bluesky: 25 });
}

/** How the cases of a test file go, as `fanfare test` prints them; `bluesky` is how long a post there may be. */
export function fileCases(
  rule: string,
  { bluesky = 300, ...file }: { readonly file: string; readonly source: string; readonly bluesky?: number },
): readonly string[] {
  const rules = rulesOf(rule);
  const { tests, problems } = readRuleTests({ ...file, beside: rules[0]?.name });
  if (!tests) throw new Error(problems.map(({ line, column, message }) => `${line}:${column} ${message}`).join('\n'));
  const limits: Readonly<Record<string, TextLimit>> = { bluesky: { most: bluesky, lengthOf: (text) => text.length } };
  const results = runRuleTests({ tests, rules, catalogue, textLimitOf: (account) => limits[account] });
  return results.map((result) => printCase(result, { color: false }));
}
