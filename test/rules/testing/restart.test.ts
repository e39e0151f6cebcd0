import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TestPoll } from '#src/rules/testing/rule-tests.ts';
import { runRuleTests, type CaseResult } from '#src/rules/testing/run-rule-tests.ts';
import { catalogue } from '../../support/rule-language.ts';
import { life, START_MS, type Life } from './lives.ts';

test('a restart at any time changes nothing of what a rule does', () => {
  let done = 0;

  fc.assert(
    fc.property(life, ({ rule, lines }) => {
      const often = lines.flatMap((line): readonly TestPoll[] => {
        const stop = { line: 1, restart: true, answers: {}, fail: [] };
        return [{ ...stop, atMs: line.atMs - 30_000 }, line, { ...stop, atMs: line.atMs }, { ...stop, atMs: line.atMs + 7_000 }];
      });

      const undisturbed = sayings({ rule, lines });

      expect(sayings({ rule, lines: often })).toEqual(undisturbed);
      done += undisturbed.sent.length;
    }),
    { numRuns: 300 },
  );
  expect(done).toBeGreaterThan(300);
});

function sayings({ rule, lines: polls }: Life): { readonly sent: CaseResult['mismatches']; readonly complaints: readonly string[] } {
  const cases = [{ it: 'lives', line: 1, each: {}, polls, expect: [] }];
  const tests = { file: 'x.test.yaml', rule: rule.name, startMs: START_MS, cases };
  const textLimit = { most: 60, lengthOf: (text: string): number => text.length };
  const [result] = runRuleTests({ tests, rules: [rule], catalogue, textLimitOf: () => textLimit });
  return { sent: result?.mismatches ?? [], complaints: result?.complaints ?? [] };
}
