import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { accountsOf } from '#src/app/accounts.ts';
import { catalogue } from '#src/catalogue.ts';
import { readConfig } from '#src/config/config.ts';
import { testFileKeys, testKeyPath } from '#src/reference/rule-tests/rule-tests-page.ts';
import { ANSWER_EXAMPLES, SEVERAL_STREAMS, TEST_EXAMPLES, TESTED_RULES } from '#src/reference/rule-tests/test-examples.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';
import { readRuleTests } from '#src/rules/testing/read-rule-tests.ts';
import { runRuleTests } from '#src/simulation/run-rule-tests.ts';

const accounts = accountsOf(readConfig({}));
const check = (id: string): ReturnType<typeof checkRule> =>
  checkRule({ file: `${id}.yaml`, source: TESTED_RULES[id]?.trim() ?? '', catalogue, accounts });

describe('docs/reference/rule-tests.md', () => {
  test.for(Object.keys(TESTED_RULES))('has a rule %s that fanfare check accepts', (id) => {
    expect(check(id).diagnostics).toEqual([]);
  });

  test('has an example of every key, and no other', () => {
    expect(Object.keys(TEST_EXAMPLES).toSorted()).toEqual(testFileKeys().map(testKeyPath).toSorted());
  });

  test('describes every key', () => {
    expect(testFileKeys().filter(({ meaning }) => meaning === '')).toEqual([]);
  });

  test.for([
    ...Object.entries(TEST_EXAMPLES),
    ...ANSWER_EXAMPLES.map((example) => ['cases.polls.answers', example] as const),
    ...SEVERAL_STREAMS.map((example) => ['cases.polls.items', example] as const),
  ])('has an example of %s that passes', async ([path, example]) => {
    const { rule } = parse(example) as { rule: string }; // every example names its rule
    const { tests, diagnostics } = readRuleTests({ file: 'example.test.yaml', source: example.trim(), beside: rule });
    if (!tests) throw new Error(JSON.stringify(diagnostics));

    const results = await runRuleTests({ tests, rules: check(rule).rules, catalogue });

    expect(results.filter(({ passed }) => !passed)).toEqual([]);
    expect(example).toContain(`${path.split('.').at(-1)}:`);
  });
});
