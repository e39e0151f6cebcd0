import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { orphansBelow } from '#src/engine/simulation/test-files.ts';
import { checkFiles, loadRules, type KnownFiles } from '#src/rules/load.ts';
import { accounts, catalogue } from '../support/rule-language.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function rule(id: string): string {
  return `id: ${id}\nwhen: { every: 5m }\nthen:\n  - { do: discord.send, with: { channel: live, content: hi } }\n`;
}

test('a linked folder is read if it is inside, and has a warning if it leads out', async () => {
  using folder = temporaryFolder();
  const [rules, others] = [join(folder.path, 'rules'), join(folder.path, 'others')];
  // A mounted ConfigMap with the paths `team/b.yaml` and `c.yaml`.
  await mkdir(join(rules, '..2026', 'team', 'deeper'), { recursive: true });
  await mkdir(join(rules, 'plain'));
  await mkdir(others);
  await writeFile(join(rules, '..2026', 'team', 'b.yaml'), rule('b'));
  await writeFile(join(rules, '..2026', 'team', 'deeper', 'd.yaml'), rule('d'));
  await writeFile(join(rules, '..2026', 'team', 'x.test.yaml'), 'rule: x\ncases: []\n');
  await writeFile(join(rules, 'plain', 'a.yaml'), rule('a'));
  await writeFile(join(others, 'hidden.yaml'), rule('hidden'));
  await symlink('..2026', join(rules, '..data'));
  await symlink('..data/team', join(rules, 'team'));
  await symlink('.', join(rules, '..2026', 'team', 'loop'));
  await symlink('..', join(rules, 'plain', 'loop'));
  await symlink('plain', join(rules, 'again'));
  await symlink(others, join(rules, 'shared'));
  const known: KnownFiles = { checked: new Map(), versions: new Map() };

  const loaded = await loadRules({ paths: [rules], catalogue, accounts, known });

  expect(loaded.rules.map(({ file }) => file.slice(rules.length + 1))).toEqual(['plain/a.yaml', 'team/b.yaml', 'team/deeper/d.yaml']);
  expect(loaded.diagnostics.map(({ file, severity, code, hint }) => [file, severity, code, hint])).toEqual([
    [join(rules, 'shared'), 'warning', 'linked-folder', 'put the folder itself there, or mount it there'],
  ]);
  expect(await orphansBelow([rules])).toMatchObject([{ file: join(rules, 'team', 'x.test.yaml') }]);
  const again = await checkFiles({ paths: [rules], catalogue, accounts, known });
  expect(again.every((one) => known.checked.get(one.file) === one)).toBe(true);
});

test('a link that leads out of the folder is not read, because diagnostics quote a file', async () => {
  using folder = temporaryFolder();
  const [rules, secrets] = [join(folder.path, 'rules'), join(folder.path, 'rules-secret')];
  await mkdir(join(rules, 'more'), { recursive: true });
  await mkdir(secrets);
  await writeFile(join(secrets, 'fake.env'), 'DISCORD_TOKEN=hidden\n');
  await writeFile(join(secrets, 'b.yaml'), rule('hidden'));
  await writeFile(join(rules, 'a.yaml'), rule('a'));
  await symlink(join(secrets, 'fake.env'), join(rules, 'e.yaml'));
  await symlink('../../rules-secret/b.yaml', join(rules, 'more', 'f.yaml'));
  await symlink(join(rules, 'more', 'f.yaml'), join(rules, 'g.yaml'));
  await symlink('../a.yaml', join(rules, 'more', 'h.yaml'));
  await symlink(rules, join(folder.path, 'link'));
  const hint = 'it is a link that leads out of the folder: put the file itself there';

  for (const path of [rules, join(folder.path, 'link')]) {
    const { rules: loaded, diagnostics } = await loadRules({ paths: [path], catalogue, accounts });

    expect(loaded.map(({ id }) => id)).toEqual(['a']);
    expect(diagnostics.map(({ file, code, hint: how, excerpt }) => [file.slice(path.length + 1), code, how, excerpt])).toEqual([
      ['e.yaml', 'unreadable-file', hint, ''],
      ['g.yaml', 'unreadable-file', hint, ''],
      ['more/f.yaml', 'unreadable-file', hint, ''],
      ['more/h.yaml', 'duplicate-id', expect.anything(), expect.anything()],
    ]);
  }
  const { diagnostics: ofOne } = await loadRules({ paths: [join(rules, 'e.yaml')], catalogue, accounts });
  expect(ofOne).toMatchObject([{ code: 'unreadable-file', hint }]);
});
