import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { everyNetwork as accounts } from '../support/every-network.ts';

test('the page and the capability tables agree about the networks', () => {
  const row = (wanted: string): readonly string[] =>
    (new RegExp(`^\\| ${wanted}[^|]*\\|(.*)$`, 'mu').exec(readFileSync('docs/reference/posts.md', 'utf8'))?.[1] ?? '')
      .split('|')
      .map((cell) => cell.trim());
  const { platforms = {} } = accounts['social'] ?? {};
  const supportOf = (account: string, operation: string, parameter?: string): string | undefined => {
    const capability = platforms[account]?.capabilities[operation];
    return parameter === undefined ? capability?.support : (capability?.parameters?.[parameter] ?? capability)?.support;
  };
  const agrees = (cell = '', support = ''): boolean =>
    (cell === 'no') === (support === 'unsupported') && (cell === 'yes' ? support !== 'gated' : true);

  for (const [wanted, operation, parameter] of [
    ['edit a post', 'editPost', undefined],
    ['quote another post', 'createPost', 'quote'],
    ['restrict replies', 'createPost', 'filter'],
    ['add a poll', 'createPost', 'poll'],
    ['set the language', 'createPost', 'language'],
  ] as const) {
    const cells = row(wanted);
    for (const [index, account] of ['x', 'bluesky', 'mastodon'].entries()) {
      expect(agrees(cells[index], supportOf(account, operation, parameter)), `${wanted} on ${account}: ${cells[index]}`).toBe(true);
    }
  }
});
