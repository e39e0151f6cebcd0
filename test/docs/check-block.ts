import { catalogue } from '#src/clients/catalogue.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';
import { formatDiagnostic, type Diagnostic } from '#src/rules/diagnostic.ts';
import type { Rule } from '#src/rules/rule.ts';
import { formatCase } from '#src/engine/testing/format-case.ts';
import { readRuleTests } from '#src/engine/testing/read-rule-tests.ts';
import { runRuleTests } from '#src/engine/simulation/run-rule-tests.ts';
import { installations } from './page-accounts.ts';

/** Before all dates in the pages. */
const nowMs = Date.parse('2026-11-20T12:00:00Z');

export interface CheckedBlock {
  readonly rules: readonly Rule[];
  readonly accounts: Accounts;
  /** The errors and warnings, as `fanfare check` prints them. */
  readonly diagnostics: readonly string[];
}

/** Checks a rule for each installation until one has no diagnostics. Returns the result with the fewest diagnostics. */
export function checkBlock(source: string, of: readonly Accounts[] = installations): CheckedBlock {
  let best: CheckedBlock | undefined;
  for (const accounts of of) {
    const { rules, diagnostics } = checkRule({ file: 'rule.yaml', source, catalogue, accounts, nowMs });
    if (!best || diagnostics.length < best.diagnostics.length) best = { rules, accounts, diagnostics: format(diagnostics) };
    if (diagnostics.length === 0) break;
  }
  if (!best) throw new Error('there is no installation');
  return best;
}

/** Runs the tests of a rule. Returns the failed cases and the diagnostics of the tests, as `fanfare test` prints them. */
export async function failuresOf(source: string, { rules, accounts }: CheckedBlock): Promise<readonly string[]> {
  const beside = rules[0]?.name.split('/')[0];
  const { tests, diagnostics } = readRuleTests({ file: 'rule.test.yaml', source, beside });
  if (!tests || diagnostics.length > 0) return format(diagnostics);
  const results = await runRuleTests({ tests, rules, catalogue, textLimitOf: (account) => accounts['social']?.textLimits?.[account] });
  return results.filter(({ passed }) => !passed).map((result) => formatCase(result, { color: false }));
}

function format(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.map((diagnostic) => formatDiagnostic(diagnostic, { color: false }));
}
