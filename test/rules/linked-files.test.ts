import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadRules } from '#src/rules/load.ts';
import { accounts, catalogue } from '../support/rule-language.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function rule(id: string): string {
  return `id: ${id}\nwhen: { every: 5m }\nthen:\n  - { do: discord.send, with: { channel: live, content: hi } }\n`;
}

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
