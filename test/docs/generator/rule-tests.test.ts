import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { accountsOf } from '#src/app/accounts.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { TEST_EXAMPLES, testFileKeys, testKeyPath } from '../../../docs/generator/rule-tests/rule-tests-page.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';
import { readRuleTests } from '#src/engine/testing/read-rule-tests.ts';
import { runRuleTests } from '#src/engine/simulation/run-rule-tests.ts';

const accounts = accountsOf(configOfEnvironment({ FANFARE_WEBHOOK_KOFI_TOKEN: '0123456789abcdef' }));
const check = (id: string): ReturnType<typeof checkRule> =>
  checkRule({ file: `${id}.yaml`, source: TEST_EXAMPLES.rules[id]?.trim() ?? '', catalogue, accounts });

describe('docs/reference/rule-tests.md', () => {
  test.for(Object.keys(TEST_EXAMPLES.rules))('has a rule %s that fanfare check accepts', (id) => {
    expect(check(id).diagnostics).toEqual([]);
  });

  test('has an example of every key, and no other', () => {
    expect(Object.keys(TEST_EXAMPLES.keys).toSorted()).toEqual(testFileKeys().map(testKeyPath).toSorted());
  });

  test('describes every key', () => {
    expect(testFileKeys().filter(({ meaning }) => meaning === '')).toEqual([]);
  });

  test.for([
    ...Object.entries(TEST_EXAMPLES.keys),
    ...TEST_EXAMPLES.answers.map((example) => ['cases.polls.answers', example] as const),
    ...TEST_EXAMPLES.severalStreams.map((example) => ['cases.polls.items', example] as const),
  ])('has an example of %s that passes', async ([path, example]) => {
    const { rule } = parse(example) as { rule: string }; // every example names its rule
    const { tests, diagnostics } = readRuleTests({ file: 'example.test.yaml', source: example.trim(), beside: rule });
    if (!tests) throw new Error(JSON.stringify(diagnostics));

    const results = await runRuleTests({ tests, rules: check(rule).rules, catalogue });

    expect(results.filter(({ passed }) => !passed)).toEqual([]);
    expect(example).toContain(`${path.split('.').at(-1)}:`);
  });
});
