import { fc } from '../../support/property.ts';
import { expect, test } from 'vitest';
import type { TestPoll } from '#src/engine/testing/rule-tests.ts';
import { runRuleTests } from '#src/engine/simulation/run-rule-tests.ts';
import type { CaseResult } from '#src/engine/testing/case-result.ts';
import { catalogue } from '../../support/rule-language.ts';
import { life, START_MS, type Life } from './restarts.ts';

test('a restart at any time does not change the deliveries of a rule', async () => {
  let done = 0;

  await fc.assert(
    fc.asyncProperty(life, async ({ rule, lines }) => {
      const often = lines.flatMap((line): readonly TestPoll[] => {
        const stop = { line: 1, restart: true, answers: {}, fail: [] };
        return [{ ...stop, atMs: line.atMs - 30_000 }, line, { ...stop, atMs: line.atMs }, { ...stop, atMs: line.atMs + 7_000 }];
      });

      const undisturbed = await outcomeOf({ rule, lines });

      expect(await outcomeOf({ rule, lines: often })).toEqual(undisturbed);
      done += undisturbed.sent.length;
    }),
    { numRuns: 300 },
  );
  expect(done).toBeGreaterThan(300);
});

async function outcomeOf({
  rule,
  lines: polls,
}: Life): Promise<{ readonly sent: CaseResult['mismatches']; readonly errors: readonly string[] }> {
  const cases = [{ it: 'lives', line: 1, each: {}, polls, expect: [] }];
  const tests = { file: 'x.test.yaml', rule: rule.name, startMs: START_MS, cases };
  const textLimit = { most: 60, lengthOf: (text: string): number => text.length };
  const [result] = await runRuleTests({ tests, rules: [rule], catalogue, textLimitOf: () => textLimit });
  return { sent: result?.mismatches ?? [], errors: result?.errors ?? [] };
}
