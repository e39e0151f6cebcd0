import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadRules, type Loaded } from '#src/rules/load.ts';
import { accounts, catalogue } from '../support/rule-language.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function rule(id: string): string {
  return `id: ${id}\nwhen: { every: 1m }\nthen:\n  - { do: discord.send, with: { channel: live, content: hi } }\n`;
}

async function load(files: Readonly<Record<string, string | Uint8Array>>): Promise<Loaded & { readonly directory: string }> {
  using folder = temporaryFolder();
  const directory = folder.path;
  for (const [name, source] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), source);
  }
  return { ...(await loadRules({ paths: [directory], catalogue, accounts })), directory };
}

describe('the rules of a folder', () => {
  test('are read in the order of their names, in the folders inside it, too', async () => {
    const { rules, files, directory, problems } = await load({
      'b.yml': rule('b'),
      'a.yaml': rule('a'),
      'more/c.yaml': rule('c'),
      'a.test.yaml': 'rule: a',
      'notes.txt': 'no rule',
      '.hidden/d.yaml': rule('d'),
      '.e.yaml': rule('e'),
    });

    expect(rules.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(files).toEqual(['a.yaml', 'b.yml', 'more/c.yaml'].map((name) => join(directory, name)));
    expect(rules.map(({ file }) => file)).toEqual(files);
    expect(problems).toEqual([]);
  });

  test('do not suffer from one that is wrong', async () => {
    const { rules, problems } = await load({ 'a.yaml': rule('a'), 'b.yaml': 'id: [', 'c.yaml': rule('c').replace('every', 'evry') });

    expect(rules.map(({ id }) => id)).toEqual(['a']);
    expect(problems.map(({ file, line }) => `${file.split('/').at(-1)}:${line}`)).toEqual(['b.yaml:1', 'c.yaml:2', 'c.yaml:2']);
  });

  test('have an id each: of two with the same one, the second is refused and both are named', async () => {
    const { rules, problems, directory } = await load({ 'a.yaml': rule('same'), 'b.yaml': `# copied\n${rule('same')}` });

    expect(rules.map(({ file }) => file)).toEqual([join(directory, 'a.yaml')]);
    expect(problems).toMatchObject([
      {
        severity: 'error',
        file: join(directory, 'b.yaml'),
        line: 2,
        path: 'id',
        message: `${join(directory, 'a.yaml')} and ${join(directory, 'b.yaml')} have the same id: same`,
        excerpt: 'id: same',
      },
    ]);
  });

  test('may begin with the mark of their encoding, and must be UTF-8', async () => {
    const { rules, problems } = await load({ 'a.yaml': `\uFEFF${rule('a')}`, 'b.yaml': Uint8Array.of(0x69, 0x64, 0xff) });

    expect(rules.map(({ id }) => id)).toEqual(['a']);
    expect(problems).toMatchObject([{ message: 'the file cannot be read', hint: 'it is not UTF-8' }]);
  });

  test('may be links, as where a volume is mounted', async () => {
    using folder = temporaryFolder();
    await mkdir(join(folder.path, '..data'), { recursive: true });
    await writeFile(join(folder.path, '..data', 'a.yaml'), rule('a'));
    await symlink(join(folder.path, '..data', 'a.yaml'), join(folder.path, 'a.yaml'));
    await symlink(join(folder.path, 'nowhere'), join(folder.path, 'b.yaml'));

    const { rules, problems } = await loadRules({ paths: [folder.path], catalogue, accounts });

    expect(rules.map(({ id }) => id)).toEqual(['a']);
    expect(problems).toMatchObject([{ message: 'the file cannot be read', hint: 'ENOENT' }]);
  });

  test('are found however the folder is written, and one by one', async () => {
    const { rules } = await loadRules({ paths: ['./rules', 'rules/live-card.yaml'], catalogue, accounts });

    expect(rules.map(({ file }) => file)).toEqual(['rules/live-card.yaml', 'rules/valorant-top.yaml']);
  });

  test('are missed where there is no folder', async () => {
    await expect(loadRules({ paths: ['/nowhere/rules'], catalogue, accounts })).rejects.toThrow('there are no rules that can be read');
  });
});
