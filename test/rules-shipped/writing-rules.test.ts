import { describe, expect, test } from 'vitest';
import { accountsOf } from '#src/app/accounts.ts';
import { catalogue } from '#src/catalogue.ts';
import { readConfig } from '#src/config/config.ts';
import { readRuleTests } from '#src/rules/testing/read-rule-tests.ts';
import type { RuleTests } from '#src/rules/testing/rule-tests.ts';
import { runRuleTests } from '#src/simulation/run-rule-tests.ts';
import { readPage } from './page.ts';

const PAGE = 'docs/explanation/writing-rules.md';
const { blocks, rules: written, tests, check, failuresOf } = readPage(PAGE, accountsOf(readConfig({})));

/** A stream starts, gains viewers and ends, so that every rule of the page fires. */
function aDay(id: string, source: string): RuleTests {
  const [rule] = check(source).rules;
  const counts = rule?.watched?.kind === 'feed' ? () => ({}) : (viewerCount: number) => ({ viewerCount });
  const poll = (minute: number, viewerCount?: number): object => ({
    at: `${minute}m`,
    ...(rule?.watched && { items: viewerCount === undefined ? [] : [{ key: 'ada', ...counts(viewerCount) }] }),
    // The episodes of another rule.
    ...(rule?.then.some(({ id }) => id === 'day') && { answers: { day: [{ key: 'yesterday' }] } }),
  });
  const polls = [
    poll(0),
    ...[5, 10, 15, 20].map((at) => poll(at, 900)),
    poll(25, 1500),
    poll(30, 1500),
    ...[35, 40, 60, 100].map((at) => poll(at)),
  ];
  const day = { rule: id, cases: [{ it: 'fires', polls }] };
  const { tests: read, diagnostics } = readRuleTests({ file: PAGE, source: JSON.stringify(day), beside: id });
  if (!read) throw new Error(JSON.stringify(diagnostics));
  return read;
}

test('the page has a rule of each kind with tests', () => {
  expect(written.length).toBeGreaterThanOrEqual(10);
  expect(tests.length).toBeGreaterThanOrEqual(2);
  expect(blocks.length).toBe(written.length + tests.length);
});

describe.each(written)('the rule %s', (id, source) => {
  test('is right, without a warning', () => {
    expect(check(source).diagnostics).toEqual([]);
  });

  test('sends something within a day, and each step can be rendered', async () => {
    const [result] = await runRuleTests({ tests: aDay(id, source), rules: check(source).rules, catalogue });

    expect(result?.errors).toEqual([]);
    expect(result?.mismatches.filter(({ kind }) => kind === 'unexpected').length).toBeGreaterThan(0);
  });
});

test.each(tests)('the tests of %s pass', async (id, source) => {
  expect(await failuresOf(id, source)).toEqual([]);
});

/** A rule with one replaced part. */
function trap({ when = 'watch: streaming.getStreams, with: { users: [ada] }', content = 'content: hello', more = '' }): string {
  return `id: trap\nwhen: { every: 5m, ${when} }\n${more}then:\n  - do: discord.send\n    with:\n      channel: live\n      ${content}\n`;
}

test.for<[name: string, source: string, severity: 'error' | 'warning', message: RegExp]>([
  ['a comment that was meant as text', trap({ content: 'content: Top 5 # today' }), 'warning', /ends before " #"/],
  ['a colon and a space', trap({ content: 'content: ${{ item.title }}: live' }), 'error', /./],
  ['a tag', trap({ more: 'if: !item.mature\n' }), 'error', /./],
  ['braces without a dollar', trap({ content: 'content: "{{ item.title }}"' }), 'warning', /is sent as text, not evaluated/],
  ['quotes inside quotes', trap({ content: 'content: "${{ items.map(i, i.title).join("\\n") }}"' }), 'error', /./],
  ['take alone', trap({ when: 'watch: streaming.getTopStreams, take: 5' }), 'warning', /./],
  ['moved for each item', trap({ when: 'watch: streaming.getTopStreams, changes: [moved]' }), 'warning', /./],
  ['every: 1d', trap({ content: 'content: hello' }).replace('every: 5m', 'every: 1d'), 'warning', /cron|UTC/],
])('check reports the trap: %s', ([, source, severity, message]) => {
  const { diagnostics } = check(source);

  expect(
    diagnostics
      .filter((diagnostic) => diagnostic.severity === severity)
      .map((diagnostic) => `${diagnostic.message} ${diagnostic.hint ?? ''}`),
  ).toContainEqual(expect.stringMatching(message));
});
