import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openRules } from '#src/app/open-rules.ts';
import { test as runTests } from '#src/cli/test.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { collectLines } from './collect-lines.ts';

const RULE = (id: string): string => `id: ${id}
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }
then: [{ do: discord.send, with: { channel: live, content: hello } }]
`;
const TESTS = (id: string, content = 'hello'): string => `rule: ${id}
cases:
  - it: greets
    polls: [{ at: 0m, items: [] }, { at: 1m, items: [{ key: ada }] }]
    expect: [{ at: 1m, do: discord.send, with: { content: ${content} } }]
`;

async function tested(
  files: Readonly<Record<string, string>>,
  paths: readonly string[] = [],
  ids: readonly string[] = [],
  rulesFolder = '.',
) {
  using folder = temporaryFolder();
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder.path, file)), { recursive: true });
    await writeFile(join(folder.path, file), text);
  }
  const { out, text } = collectLines();
  const rules = openRules({ FANFARE_RULES: join(folder.path, rulesFolder), FANFARE_DATA: join(folder.path, '.data') }, { isTesting: true });
  const { exitCode: code } = await runTests({ rules, paths: [...paths.map((path) => join(folder.path, path)), ...ids], out });
  return { code, text: text().replaceAll(`${folder.path}/`, '') };
}

describe('the command test', () => {
  test('says where it found no rules', async () => {
    using folder = temporaryFolder();
    const { out, text } = collectLines();
    const rules = openRules({ FANFARE_RULES: folder.path, FANFARE_DATA: join(folder.path, '.data') });

    const { exitCode = 0 } = await runTests({ rules, paths: [], out });

    expect({ exitCode, text: text() }).toEqual({
      exitCode: 0,
      text: `There are no rules in ${folder.path}. To write a rule: npx fanfare new`,
    });
  });

  test('groups the cases by rule', async () => {
    // Some editors end lines with CR alone.
    const mac = `# Mac\n${TESTS('b')}`.replaceAll('\n', '\r');
    const { code, text } = await tested({ 'a.yaml': RULE('a'), 'a.test.yaml': TESTS('a'), 'b.yaml': RULE('b'), 'b.test.yaml': mac });

    expect(text).toBe('a\n  ✓ greets\nb\n  ✓ greets\n2 passed, 0 failed');
    expect(code).toBe(0);
  });

  test.for([
    {
      needs: 'a token',
      config: `accounts: { berlin: { platform: discord, server: '1202584131997794305' } }\ndefaults: { discord: [discord] }`,
    },
    {
      needs: 'secrets of accounts',
      config:
        "accounts: { alt: { platform: mastodon, url: 'https://m.example', token: '${ALT}' } }\ndefaults: { discord: [discord], social: [x] }",
    },
    { needs: 'a secret of a webhook', config: "webhooks: { ops: { url: 'https://ops.example', secret: '${OPS}' } }" },
    {
      needs: 'a secret of the sign-in',
      config: "signIn: { discord: { clientId: '1202584131993600099', servers: '1202584131993600001' } }",
    },
  ])('needs no secrets, even if fanfare.yaml names $needs', async ({ config }) => {
    const files = { 'fanfare.yaml': config, 'rules/a.yaml': RULE('a'), 'rules/a.test.yaml': TESTS('a') };

    const { code, text } = await tested(files, [], [], 'rules');

    expect(text).toContain('a\n  ✓ greets\n');
    expect(text).toContain('1 passed, 0 failed');
    expect(code).toBe(0);
  });

  test('reports other mistakes of fanfare.yaml', async () => {
    const files = { 'fanfare.yaml': 'acounts: {}', 'rules/a.yaml': RULE('a'), 'rules/a.test.yaml': TESTS('a') };

    await expect(tested(files, [], [], 'rules')).rejects.toThrow('unknown key: acounts');
  });

  test.for([
    { called: 'with the whole folder', paths: [] },
    { called: 'by its name', paths: ['in/typo.test.yaml'] },
  ])('a test file without a rule is an error, run $called', async ({ paths }) => {
    const { code, text } = await tested({ 'a.yaml': RULE('a'), 'a.test.yaml': TESTS('a'), 'in/typo.test.yaml': TESTS('a') }, paths);

    expect(text).toContain('in/typo.test.yaml:1:1 error');
    expect(text).toContain('the rule of these tests is missing: typo.yaml does not exist');
    expect(text).toContain('0 failed, 1 file with errors');
    expect(code).toBe(1);
  });

  test('lists test files without a rule by name', async () => {
    const { text } = await tested({
      'z.test.yaml': TESTS('z'),
      'b.test.yaml': TESTS('b'),
      'in/c.test.yaml': TESTS('c'),
      'x.yaml': RULE('x'),
    });

    expect(text.match(/^\S+(?=:1:1 error)/gmu)).toEqual(['b.test.yaml', 'in/c.test.yaml', 'z.test.yaml']);
  });

  test.for(['', '/.', '/./', '/in/..', '/'])('finds them in a folder that is written with %j at its end', async (end) => {
    using folder = temporaryFolder();
    const files = ['a.test.yaml', 'bc.test.yaml', 'def.test.yaml', 'ghij.test.yaml', 'klmno.test.yaml', 'pqrstu.test.yaml'];
    await Promise.all(files.map((file) => writeFile(join(folder.path, file), TESTS('a'))));
    await mkdir(join(folder.path, 'in'));
    await writeFile(join(folder.path, '.hidden.test.yaml'), TESTS('a'));
    const { out, text } = collectLines();

    await runTests({ rules: openRules({ FANFARE_RULES: `${folder.path}${end}`, FANFARE_DATA: folder.path }), paths: [], out });

    expect(text().match(/\w+\.test\.yaml(?=:1:1 error)/gmu)).toEqual(files);
  });

  test('accepts rule ids, even of rules with errors', async () => {
    const files = { 'in/b.yaml': RULE('a'), 'in/b.test.yaml': TESTS('a'), 'c.yaml': RULE('c'), 'broken.yaml': 'id: broken\n' };
    const good = await tested(files, [], ['a']);
    const broken = await tested(files, [], ['broken']);

    expect(good).toEqual({ code: 0, text: 'a\n  ✓ greets\n1 passed, 0 failed' });
    expect(broken.text).toMatch(/^broken\.yaml:/);
    expect(broken.code).toBe(1);
  });

  test('does not read tests through a link that leads out of the folder', async () => {
    using folder = temporaryFolder();
    const rules = join(folder.path, 'rules');
    await mkdir(rules);
    await writeFile(join(rules, 'a.yaml'), RULE('a'));
    await writeFile(join(folder.path, 'fake.env'), 'DISCORD_TOKEN=hidden\n');
    await symlink(join(folder.path, 'fake.env'), join(rules, 'a.test.yaml'));

    for (const paths of [[], [rules], [join(rules, 'a.yaml')]]) {
      const { out, text } = collectLines();
      const opened = openRules({ FANFARE_RULES: rules, FANFARE_DATA: join(folder.path, '.data') });
      await runTests({ rules: opened, paths, out });
      expect(text()).toContain('it is a link that leads out of the folder: put the file itself there');
      expect(text()).not.toContain('hidden');
    }
  });

  test('suggests a rule for an unknown id', async () => {
    const run = tested({ 'live.yaml': RULE('live'), 'top.yaml': RULE('top') }, [], ['lives']);

    await expect(run).rejects.toThrow('there is no rule lives. Did you mean live?\n  Rules: live, top');
  });

  test('simulates accounts that are not connected, with the limits of their platforms', async () => {
    const rule = `id: a
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }
then: [{ id: post, do: social.createPost, as: [x, masto], fit: error, with: { text: "\${{ item.title }}" } }]
`;
    const tests = `rule: a
cases:
  - it: posts
    polls: [{ at: 0m, items: [] }, { at: 1m, items: [{ key: ada, title: ${'w'.repeat(281)} }], fail: [] }]
    expect: [{ at: 1m, do: social.createPost, as: masto }]
`;
    const { text } = await tested({ 'a.yaml': rule, 'a.test.yaml': tests });

    expect(text).toContain('social.createPost as x failed');
    expect(text).toContain('Not connected, simulated for the tests: x, masto\n0 passed, 1 failed');
  });

  test('errors of one file count as one file', async () => {
    const { text } = await tested({ 'a.yaml': RULE('a'), 'a.test.yaml': 'rule: a\ncases: [{ it: x, nope: 1 }, { polls: [] }]\n' });

    expect(text).toMatch(/\n0 passed, 0 failed, 1 file with errors$/);
  });
});
