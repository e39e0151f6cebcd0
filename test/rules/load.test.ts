import { execFileSync } from 'node:child_process';
import { mkdir, open, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { findFileError } from '#src/http/media/file-errors.ts';
import type { CheckedFile } from '#src/rules/check/check-across-files.ts';
import { checkFiles, loadRules, type KnownFiles, type Loaded } from '#src/rules/load.ts';
import { ruleSetOf } from '#src/rules/rule-set.ts';
import { accounts, catalogue } from '../support/rule-language.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function rule(id: string): string {
  return `id: ${id}\nwhen: { every: 5m }\nthen:\n  - { do: discord.send, with: { channel: live, content: hi } }\n`;
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
  test('are read in the order of their names, including subfolders', async () => {
    const { rules, files, directory, diagnostics } = await load({
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
    expect(diagnostics).toEqual([]);
  });

  test('get a warning about a file that an editor has named otherwise', async () => {
    const { rules, diagnostics } = await load({
      'a.yaml': rule('a'),
      'b.yaml.txt': rule('b'),
      'b.test.yaml.txt': 'rule: b',
      'c.YAML': rule('c'),
    });

    expect(rules.map(({ id }) => id)).toEqual(['a']);
    expect(diagnostics.map(({ severity, file, hint }) => [severity, file.split('/').at(-1), hint])).toEqual([
      ['warning', 'b.test.yaml.txt', 'rename it to b.test.yaml'],
      ['warning', 'b.yaml.txt', 'rename it to b.yaml'],
      ['warning', 'c.YAML', 'rename it to c.yaml'],
    ]);
  });

  test.each([
    ['ada: { twitch: ada }\ngrace:\n', ['this file is no rule: it has no key of a rule']],
    ['source: { watch: streaming.getTeamMembers, with: { team: a } }\nentries:\n', ['this file is no rule: it has no key of a rule']],
    ['accounts: { kick: {} }\nbudgets: { x: { month: 5 USD } }\n', ['this file is no rule: it has no key of a rule']],
    ['vars: { a: 1 }\n', ['id is missing', 'when is missing', 'then is missing']],
    ['WHEN: { every: 1m }\n', ['unknown key: WHEN', 'id is missing', 'then is missing']],
  ])('have one error for a list or a fanfare.yaml among them, and others for a part of a rule: %s', async (source, expected) => {
    const { rules, diagnostics } = await load({ 'a.yaml': rule('a'), 'lists/team.yaml': source });

    expect(rules.map(({ id }) => id)).toEqual(['a']);
    expect(diagnostics.map(({ message }) => message).toSorted()).toEqual(expected.toSorted());
  });

  test('do not depend on invalid files', async () => {
    const { rules, diagnostics } = await load({ 'a.yaml': rule('a'), 'b.yaml': 'id: [', 'c.yaml': rule('c').replace('every', 'evry') });

    expect(rules.map(({ id }) => id)).toEqual(['a']);
    expect(diagnostics.map(({ file, line }) => `${file.split('/').at(-1)}:${line}`)).toEqual(['b.yaml:1', 'c.yaml:2']);
  });

  test('have unique ids: the second file with an id is an error that names both', async () => {
    const { rules, diagnostics, directory } = await load({ 'a.yaml': rule('same'), 'b.yaml': `# copied\n${rule('same')}` });

    expect(rules.map(({ file }) => file)).toEqual([join(directory, 'a.yaml')]);
    expect(diagnostics).toMatchObject([
      {
        severity: 'error',
        file: join(directory, 'b.yaml'),
        line: 2,
        path: 'id',
        message: `the id same is already used in ${join(directory, 'a.yaml')}`,
        excerpt: 'id: same',
      },
    ]);
  });

  test('may begin with a byte order mark, can end lines with CR, and must be UTF-8', async () => {
    const { rules, diagnostics } = await load({
      'a.yaml': `\uFEFF${rule('a')}`,
      'b.yaml': Uint8Array.of(0x69, 0x64, 0xff),
      'c.yaml': `# Mac\n${rule('c')}`.replaceAll('\n', '\r'),
      'd.yaml': `# Mac\r${rule('d')}`.replace('\n', '\r\n'),
    });

    expect(rules.map(({ id }) => id)).toEqual(['a', 'c', 'd']);
    expect(diagnostics).toMatchObject([
      { message: 'the file cannot be read', line: 1, column: 3, hint: expect.stringContaining('the text is not valid UTF-8') },
    ]);
  });

  test('have the location of the first character in another encoding', async () => {
    const { diagnostics } = await load({ 'a.yaml': Buffer.from('id: a\nabout: Caf\xe9 Zo\xeb\n', 'latin1') });

    expect(diagnostics).toMatchObject([{ line: 2, column: 11, message: 'the file cannot be read', excerpt: 'about: Café Zoë' }]);
  });

  test.each([
    ['with its mark', Buffer.from('\uFEFFid: a', 'utf16le')],
    ['without its mark', Buffer.from('id: a', 'utf16le')],
  ])('in UTF-16, %s, have a hint', async (_, bytes) => {
    const { diagnostics } = await load({ 'a.yaml': bytes });

    expect(diagnostics).toMatchObject([{ message: 'the file cannot be read', hint: 'it is UTF-16: save it as UTF-8' }]);
  });

  test('are read again once they are saved as UTF-8', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'a.yaml');
    const text = rule('a').replace('id: a', 'id: a\nabout: Caf\u00e9');
    const known: KnownFiles = { checked: new Map(), versions: new Map() };
    await writeFile(file, Buffer.from(text, 'latin1'));
    const first = await checkFiles({ paths: [file], catalogue, accounts, known });
    await writeFile(file, text);

    const second = await checkFiles({ paths: [file], catalogue, accounts, known });

    expect([first, second].map((files) => files.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code)))).toEqual([
      ['unreadable-file'],
      [],
    ]);
  });

  test('have unique ids, even with each', async () => {
    const { rules, diagnostics } = await load({
      'a.yaml': rule('same').replace('when', 'each: { x: [1, 2] }\nwhen'),
      'b.yaml': rule('same').replace('when', 'each: { x: [3, 4] }\nwhen'),
    });

    expect(rules.map(({ id }) => id)).toEqual(['same/1', 'same/2']);
    expect(diagnostics.filter(({ severity }) => severity === 'error').map(({ path, line }) => `${line} ${path}`)).toEqual(['1 id']);
  });

  test('get a warning if two of them edit one message', async () => {
    const put = (id: string): string =>
      `${rule(id).split('then')[0]}then:\n  - { do: discord.put, with: { name: top, channel: a, content: hi } }\n`;
    const { rules, diagnostics, directory } = await load({ 'a.yaml': put('a'), 'b.yaml': put('b'), 'c.yaml': rule('c') });

    expect(rules).toHaveLength(3);
    expect(diagnostics).toMatchObject([
      {
        severity: 'warning',
        file: join(directory, 'b.yaml'),
        line: 4,
        message: `${join(directory, 'a.yaml')} also edits this message: the rules overwrite each other's edits`,
      },
    ]);
  });

  test('get a warning if they exceed the rate limit of an account', async () => {
    const watching = (id: string, every: string, more: string): string =>
      rule(id).replace('{ every: 5m }', `{ every: ${every}, watch: streaming.getGameStreams, with: { ${more} } }`);
    const greedy = { 'a.yaml': watching('a', '5s', 'game: Chess, pages: 90'), 'b.yaml': watching('b', '1m', 'game: Go') };

    const { diagnostics, directory } = await load(greedy);

    expect(diagnostics).toMatchObject([
      {
        severity: 'warning',
        file: join(directory, 'a.yaml'),
        path: 'when.every',
        message: 'all rules together send 1081 requests per minute to twitch, which allows about 600; this rule sends 1080',
        hint: 'poll less often, for example every 9s, or read fewer pages',
      },
    ]);
  });

  test('count shared requests once', async () => {
    const files = Array.from({ length: 60 }, (_, n) => {
      const source = rule(`r${n}`).replace('{ every: 5m }', `{ every: 5s, watch: streaming.getStreams, with: { users: [u${n}] } }`);
      return [`r${n}.yaml`, source] as const;
    });

    expect((await load(Object.fromEntries(files))).diagnostics).toEqual([]);
  });

  test('may be links, as in a mounted volume', async () => {
    using folder = temporaryFolder();
    await mkdir(join(folder.path, '..data'), { recursive: true });
    await writeFile(join(folder.path, '..data', 'a.yaml'), rule('a'));
    await symlink(join(folder.path, '..data', 'a.yaml'), join(folder.path, 'a.yaml'));
    await symlink(join(folder.path, 'nowhere'), join(folder.path, 'b.yaml'));

    const { rules, diagnostics } = await loadRules({ paths: [folder.path], catalogue, accounts });

    expect(rules.map(({ id }) => id)).toEqual(['a']);
    expect(diagnostics).toMatchObject([{ message: 'the file cannot be read', hint: 'there is no such file or folder' }]);
  });

  test('are found under any spelling of the folder, and as single files', async () => {
    const { rules } = await loadRules({ paths: ['./test/rules/examples', 'test/rules/examples/live-card.yaml'], catalogue, accounts });

    const files = rules.map(({ file }) => file);
    expect(files.filter((file) => file === 'test/rules/examples/live-card.yaml')).toHaveLength(1);
    expect(new Set(files).size).toBe(6);
  });

  test('need a folder', async () => {
    await expect(loadRules({ paths: ['/nowhere/rules'], catalogue, accounts })).rejects.toThrow('there is no such file or folder');
  });
});

describe('a file that a rule attaches', () => {
  test('gets a warning if it cannot be sent, and is checked again at each load', async () => {
    using folder = temporaryFolder();
    const [there, gone] = [join(folder.path, 'there.png'), join(folder.path, 'gone.png')];
    const file = join(folder.path, 'a.yaml');
    await writeFile(there, 'a picture');
    await writeFile(
      file,
      rule('a').replace('content: hi', `files: [{ path: "${there}" }, { path: "${gone}" }, https://example.org/x.png]`),
    );
    const known: KnownFiles = { checked: new Map(), versions: new Map() };
    const checkAll = () => checkFiles({ paths: [file], catalogue, accounts, findFileError, known });

    const first = await checkAll();
    await writeFile(gone, 'another');
    const second = await checkAll();

    const column = (await readFile(file, 'utf8')).split('\n')[3]?.indexOf(`"${gone}"`) ?? 0;
    expect(ruleSetOf(first, { accounts }).diagnostics).toEqual([
      {
        severity: 'warning',
        code: 'missing-file',
        file,
        line: 4,
        column: column + 1,
        path: 'then[0].with.files[1].path',
        excerpt: expect.stringContaining(gone),
        message: `the file ${gone} cannot be sent: the file does not exist`,
        hint: 'paths are relative to the folder in which Fanfare is started',
      },
    ]);
    expect(first[0]?.rules).toHaveLength(1);
    expect(ruleSetOf(second, { accounts }).diagnostics).toEqual([]);
  });
});

describe('a path that is no rule file', () => {
  test('a pipe, a device, a link to a folder and a file of 600 MB are errors, and the other rules run', async () => {
    using folder = temporaryFolder();
    const at = (name: string): string => join(folder.path, name);
    await writeFile(at('good.yaml'), rule('good'));
    execFileSync('mkfifo', [at('pipe.yaml')]);
    await symlink('/dev/zero', at('zero.yaml'));
    await mkdir(at('folder'));
    await symlink(at('folder'), at('link.yaml'));
    await mkdir(at('named.yaml'));
    {
      // A sparse file takes no space on the disk.
      await using large = await open(at('large.yaml'), 'w');
      await large.truncate(600 * 1024 * 1024);
    }

    const { rules, diagnostics } = await loadRules({ paths: [folder.path], catalogue, accounts });

    expect(rules.map(({ id }) => id)).toEqual(['good']);
    expect(diagnostics.map(({ file, severity, message, hint }) => [file, severity, message, hint])).toEqual([
      [at('large.yaml'), 'error', 'the file cannot be read', 'it is too large: it has 629145600 bytes, and the limit is 262144'],
      [at('link.yaml'), 'error', 'the file cannot be read', 'it is a folder'],
      [at('pipe.yaml'), 'error', 'the file cannot be read', 'it is a pipe, a socket or a device, not a file'],
      [at('zero.yaml'), 'error', 'the file cannot be read', 'it is a pipe, a socket or a device, not a file'],
    ]);
  });
});

describe('a file that was checked before', () => {
  const LONG_AGO = new Date('2026-01-01T00:00:00Z');

  async function twoFiles(folder: string) {
    const known: KnownFiles = { checked: new Map(), versions: new Map() };
    const [kept, other] = [join(folder, 'a.yaml'), join(folder, 'b.yaml')];
    await writeFile(kept, rule('a'));
    await writeFile(other, rule('b'));
    return { known, kept, other, checkAll: () => checkFiles({ paths: [folder], catalogue, accounts, known }) };
  }

  test('is the same object while its text stays, and another one after each change', async () => {
    using folder = temporaryFolder();
    const { kept, checkAll } = await twoFiles(folder.path);

    const first = await checkAll();
    const second = await checkAll();
    await writeFile(kept, rule('c'));
    const third = await checkAll();
    await utimes(kept, LONG_AGO, LONG_AGO);
    await writeFile(kept, rule('d'));
    const fourth = await checkAll();

    expect(second).toEqual(first);
    expect(second.map((file, index) => file === first[index])).toEqual([true, true]);
    expect(third.map(({ rules }) => rules[0]?.id)).toEqual(['c', 'b']);
    expect(third[1]).toBe(first[1]);
    expect(fourth.map(({ rules }) => rules[0]?.id)).toEqual(['d', 'b']);
  });

  test('is not read again if its version is the same', async () => {
    using folder = temporaryFolder();
    const { known, kept, other, checkAll } = await twoFiles(folder.path);
    // A version counts only some time after the last change.
    const later = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
    onTestFinished(() => later.mockRestore());
    const [first] = await checkAll();
    if (!first) throw new Error('there is no file');
    const marked: CheckedFile = { ...first, source: 'not the text of the file' };
    known.checked.set(kept, marked);

    const [again] = await checkAll();
    await rm(other);
    await checkAll();

    expect(again).toBe(marked);
    expect([[...known.checked.keys()], [...known.versions.keys()]]).toEqual([[kept], [kept]]);
  });
});
