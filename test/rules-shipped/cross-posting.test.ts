import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { catalogue } from '#src/catalogue.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';
import { readRuleTests } from '#src/rules/testing/read-rule-tests.ts';
import { runRuleTests } from '#src/simulation/run-rule-tests.ts';
import { everyNetwork as accounts } from '../support/every-network.ts';

const PAGE = 'docs/cross-posting.md';
const blocks = [...readFileSync(PAGE, 'utf8').matchAll(/^```yaml\n([^]*?)^```$/gmu)].map(([, text = '']) => text);
const idOf = (text: string): string => /^(?:id|rule): (.+)$/mu.exec(text)?.[1] ?? '';
const written = blocks.filter((text) => /^id: /mu.test(text));
const tests = blocks.filter((text) => /^rule: /mu.test(text));

function check(source: string): ReturnType<typeof checkRule> {
  return checkRule({ file: `${idOf(source)}.yaml`, source, catalogue, accounts, nowMs: Date.parse('2026-11-20T12:00:00Z') });
}

test('the page has rules and a test', () => {
  expect([written.length, tests.length, blocks.length]).toEqual([2, 1, 3]);
});

test.each(written.map((source) => [idOf(source), source]))('the rule %s is right, without a warning', (_, source) => {
  expect(check(source).diagnostics).toEqual([]);
});

test.each(tests.map((source) => [idOf(source), source]))('the tests of %s pass', async (id, source) => {
  const rule = written.find((one) => idOf(one) === id) ?? '';
  const read = readRuleTests({ file: PAGE, source, beside: id });

  const results = read.tests && (await runRuleTests({ tests: read.tests, rules: check(rule).rules, catalogue }));

  expect(read.diagnostics).toEqual([]);
  expect(results?.map(({ errors, mismatches }) => [...errors, ...mismatches])).toEqual([[]]);
});

test('the page and the capability tables agree about the networks', () => {
  const row = (wanted: string): readonly string[] =>
    (new RegExp(`^\\| ${wanted}[^|]*\\|(.*)$`, 'mu').exec(readFileSync(PAGE, 'utf8'))?.[1] ?? '').split('|').map((cell) => cell.trim());
  const { platforms = {} } = accounts['social'] ?? {};
  const supportOf = (account: string, operation: string, parameter?: string): string | undefined => {
    const capability = platforms[account]?.capabilities[operation];
    return parameter === undefined ? capability?.support : (capability?.parameters?.[parameter] ?? capability)?.support;
  };
  const agrees = (cell = '', support = ''): boolean =>
    (cell === 'no') === (support === 'unsupported') && (cell === 'yes' ? support !== 'gated' : true);

  for (const [wanted, operation, parameter] of [
    ['to edit a post', 'editPost', undefined],
    ['to show another post', 'createPost', 'quote'],
    ['to say who may answer', 'createPost', 'filter'],
    ['a poll', 'createPost', 'poll'],
  ] as const) {
    const cells = row(wanted);
    for (const [index, account] of ['x', 'bluesky', 'mastodon'].entries()) {
      expect(agrees(cells[index], supportOf(account, operation, parameter)), `${wanted} on ${account}: ${cells[index]}`).toBe(true);
    }
  }
});
