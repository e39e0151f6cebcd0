import { readFileSync } from 'node:fs';
import { catalogue } from '#src/catalogue.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import { checkRule, type CheckedRule } from '#src/rules/check/check-rule.ts';
import { readRuleTests } from '#src/rules/testing/read-rule-tests.ts';
import { runRuleTests } from '#src/simulation/run-rule-tests.ts';

/** The YAML blocks of a documentation page. */
interface Page {
  readonly blocks: readonly string[];
  /** The rules, with their ids. */
  readonly rules: readonly (readonly [id: string, source: string])[];
  /** The test files, with the ids of their rules. */
  readonly tests: readonly (readonly [id: string, source: string])[];
  readonly check: (source: string) => CheckedRule;
  /** Runs a test file with its rule. Returns the failures of its cases. */
  readonly failuresOf: (id: string, source: string) => Promise<readonly unknown[]>;
}

export function readPage(file: string, accounts: Accounts): Page {
  const blocks = [...readFileSync(file, 'utf8').matchAll(/^```yaml\n([^]*?)^```$/gmu)].map(([, text = '']) => text);
  const named = (key: string): Page['rules'] =>
    blocks.flatMap((text) => {
      const id = new RegExp(`^${key}: (.+)$`, 'mu').exec(text)?.[1];
      return id === undefined ? [] : [[id, text] as const];
    });
  const rules = named('id');

  function check(source: string): CheckedRule {
    return checkRule({ file, source, catalogue, accounts, nowMs: Date.parse('2026-11-20T12:00:00Z') });
  }

  return {
    blocks,
    rules,
    tests: named('rule'),
    check,
    async failuresOf(id, source) {
      const { tests, diagnostics } = readRuleTests({ file, source, beside: id });
      if (!tests) return diagnostics;
      const [, rule = ''] = rules.find(([name]) => name === id) ?? [];
      const results = await runRuleTests({ tests, rules: check(rule).rules, catalogue });
      return results.filter(({ passed }) => !passed);
    },
  };
}
