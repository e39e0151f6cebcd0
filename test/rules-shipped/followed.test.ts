import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FOLLOWED_RULE, shippedFiles } from '#src/engine/rule-sets/shipped-rules.ts';
import { runRuleTests } from '#src/engine/simulation/run-rule-tests.ts';
import { formatCase } from '#src/engine/testing/format-case.ts';
import { readRuleTests } from '#src/engine/testing/read-rule-tests.ts';
import { ACCOUNTS } from '../rules/people/people-stage.ts';
import { catalogue, check } from '../support/rule-language.ts';

const TESTS = 'test/rules-shipped/followed.test.yaml';
const options = { catalogue, accounts: ACCOUNTS };

test('the shipped rule over followed streamers has no errors and passes its tests', async () => {
  const { rules, diagnostics } = check(FOLLOWED_RULE.source, { accounts: ACCOUNTS });
  const { tests } = readRuleTests({ file: TESTS, source: readFileSync(TESTS, 'utf8'), beside: 'followed' });
  const results = tests ? await runRuleTests({ tests, rules, catalogue }) : [];

  expect(diagnostics).toEqual([]);
  expect(results.length).toBeGreaterThan(2);
  expect(results.filter(({ passed }) => !passed).map((result) => formatCase(result, { color: false }))).toEqual([]);
});

test('it is there while its list exists, unless the folder has a rule with its id, usable or not', () => {
  const mine = { ...check(FOLLOWED_RULE.source), file: 'rules/x.yaml', source: 'id: followed\nwhen: nonsense\n' };

  expect(shippedFiles([], { ...options, names: [] })).toEqual([]);
  expect(shippedFiles([], { ...options, names: [FOLLOWED_RULE.list] }).flatMap(({ rules }) => rules.map(({ id }) => id))).toEqual([
    'followed',
  ]);
  expect(shippedFiles([mine], { ...options, names: [FOLLOWED_RULE.list] })).toEqual([]);
});
