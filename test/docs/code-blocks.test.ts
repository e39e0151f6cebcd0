import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkBlock, failuresOf } from './check-block.ts';
import { accountsWith } from './page-accounts.ts';
import { pageFiles, readPage, sortBlocks } from './pages.ts';

const pages = pageFiles()
  .filter((file) => !file.startsWith('docs/guides/'))
  .map(readPage);
const rules = pages.flatMap(({ file, rules }) => rules.map(({ id, source }) => [id, file, source] as const));
const tests = pages.flatMap(({ file, tests, rules }) =>
  tests.map(({ id, source }) => [id, file, source, rules.findLast((rule) => rule.id === id)?.source] as const),
);

test('the pages have rules and tests', () => {
  expect(rules.length).toBeGreaterThan(5);
  expect(tests.length).toBeGreaterThan(10);
});

test.each(rules)('the rule %s of %s has no errors and no warnings', (_id, _file, source) => {
  expect(checkBlock(source).diagnostics).toEqual([]);
});

// A tutorial shows a rule twice: before and after a change.
test.each(tests)('the test of %s of %s passes with the rule of that page', async (_id, _file, source, rule = '') => {
  expect(await failuresOf(source, checkBlock(rule))).toEqual([]);
});

const shellLines = pageFiles().flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/^ *```sh\n([^]*?)^ *```$/gmu)].flatMap(([, block = '']) =>
    block
      .replaceAll(/(\\|&&)\n */gu, '$1 ')
      .split('\n')
      .map((line) => `${file}: ${line.trim()}`),
  ),
);

// In an interactive zsh, the shell of macOS, `#` begins no comment: the words behind it become arguments.
test('no comment is behind a command of a shell', () => {
  expect(shellLines.length).toBeGreaterThan(400);
  expect(shellLines.filter((line) => /: [^#].*\s#\s/u.test(line))).toEqual([]);
});

// Without `&&`, the command would replace the credentials of the installation if `cd` fails, for example because the user may not create the folder.
test('commands that replace .env run only if the folder was changed', () => {
  const replacing = shellLines.filter((line) => /[^>]>\s*\.env/u.test(line) && !line.includes('reference/cli.md'));

  expect(replacing).toHaveLength(4);
  expect(replacing.filter((line) => !line.includes('cd ../fanfare-try && '))).toEqual([]);
});

// A shell continues behind a failed line, so rules with failing tests would be published.
test('rules are published only if their tests pass', () => {
  const published = shellLines.filter((line) => line.startsWith('docs/operating/rule-versions.md') && line.includes('rules push --by ci'));

  expect(published).toEqual([expect.stringMatching(/ npx fanfare check && npx fanfare test && npx fanfare rules push /u)]);
});

test('blocks are sorted by their keys', () => {
  const rule = 'id: r\nwhen: { every: 1m }\nthen: []\n';
  const text = [rule, 'rule: r\ncases: []\n', 'accounts: {}\n', 'where: item.mature\n', '- id: card\n']
    .map((block) => `\`\`\`yaml\n${block}\`\`\`\n`)
    .join('text\n');

  expect(sortBlocks(`${text}\`\`\`yaml wrong\n${rule}\`\`\`\n`)).toEqual({
    rules: [{ id: 'r', source: rule }],
    tests: [{ id: 'r', source: 'rule: r\ncases: []\n' }],
    configs: ['accounts: {}\n'],
    parts: ['where: item.mature\n', '- id: card\n'],
  });
});

test('a rule, a test and a fanfare.yaml with mistakes are reported', async () => {
  const good = 'id: r\nwhen: { every: 1h }\nthen: [{ do: discord.send, with: { channel: live, content: hi } }]\n';

  expect(checkBlock(good.replace('every', 'evry')).diagnostics.length).toBeGreaterThan(0);
  expect(await failuresOf('rule: r\ncases: [{ it: fails, polls: [{ at: 0m }], expect: [] }]\n', checkBlock(good))).toHaveLength(1);
  expect(accountsWith('acounts: {}\n').mistakes).toHaveLength(1);
});
