import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { everyNetwork as accounts } from '../support/every-network.ts';
import { readPage } from './page.ts';

const PAGE = 'docs/explanation/cross-posting.md';
const { blocks, rules: written, tests, check, failuresOf } = readPage(PAGE, accounts);

test('the page has rules and a test', () => {
  expect([written.length, tests.length, blocks.length]).toEqual([2, 1, 3]);
});

test.each(written)('the rule %s is right, without a warning', (_, source) => {
  expect(check(source).diagnostics).toEqual([]);
});

test.each(tests)('the tests of %s pass', async (id, source) => {
  expect(await failuresOf(id, source)).toEqual([]);
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
