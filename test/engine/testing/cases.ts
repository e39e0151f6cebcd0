import { formatCase } from '#src/engine/testing/format-case.ts';
import { readRuleTests } from '#src/engine/testing/read-rule-tests.ts';
import { runRuleTests } from '#src/engine/simulation/run-rule-tests.ts';
import type { TextLimit } from '#src/clients/operation/text/limit.ts';
import { catalogue, rulesOf } from '../../support/rule-language.ts';

/** The report of one case of a rule, as `fanfare test` prints it. Posts on bluesky have at most 25 characters. */
export async function runCases(rule: string, body: string): Promise<readonly string[]> {
  const [{ name } = { name: '' }] = rulesOf(rule);
  const source = `rule: ${name}\nstart: 2026-11-20T18:00:00Z\ncases:\n    - it: works${body}`;
  return await fileCases(rule, { file: 'rules/x.test.yaml', source, bluesky: 25 });
}

/** The reports of the cases of a test file, as `fanfare test` prints them. `bluesky` is the maximum length of a post there. */
export async function fileCases(
  rule: string,
  { bluesky = 300, ...file }: { readonly file: string; readonly source: string; readonly bluesky?: number },
): Promise<readonly string[]> {
  const rules = rulesOf(rule);
  const { tests, diagnostics } = readRuleTests({ ...file, beside: rules[0]?.name });
  if (!tests) throw new Error(diagnostics.map(({ line, column, message }) => `${line}:${column} ${message}`).join('\n'));
  const limits: Readonly<Record<string, TextLimit>> = { bluesky: { most: bluesky, lengthOf: (text) => text.length } };
  const results = await runRuleTests({ tests, rules, catalogue, textLimitOf: (account) => limits[account] });
  return results.map((result) => formatCase(result, { color: false }));
}
