import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRules } from '#src/app/open-rules.ts';
import { check } from '#src/cli/check.ts';
import { runHere } from '../support/run-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { collectLines } from './collect-lines.ts';

test('check names the command for a first rule as long as there is no rule file', async () => {
  using folder = temporaryFolder();
  const rules = join(folder.path, 'rules');
  await mkdir(rules);
  const checked = async (): Promise<string> => {
    const { out, text } = collectLines();
    await check({ rules: openRules({ FANFARE_RULES: rules }), paths: [], changes: () => Promise.resolve(undefined), out });
    return text();
  };

  const before = await checked();
  await writeFile(
    join(rules, 'hi.yaml'),
    'id: hi\nwhen: { every: 1h }\nthen: [{ do: discord.send, with: { channel: live, content: hi } }]\n',
  );

  expect(before).toBe(`There are no rules in ${rules}. To write a rule: npx fanfare new`);
  expect(await checked()).not.toContain('fanfare new');
});

test('the files of the pattern rules/*.yaml are checked as the folder is', async () => {
  using folder = temporaryFolder();
  await runHere({ args: ['init'], cwd: folder.path });

  const files = await runHere({ args: ['check', 'rules/first-rule.test.yaml', 'rules/first-rule.yaml'], cwd: folder.path });

  expect(files).toMatchObject({ code: 0, output: '1 file, 1 rule ready to run: no errors, 0 warnings\n' });
});

test('a path that does not exist is named as it was typed', async () => {
  using folder = temporaryFolder();
  await runHere({ args: ['init'], cwd: folder.path });

  for (const command of ['check', 'test']) {
    const { code, output } = await runHere({ args: [command, 'rules/first-rule.test.yml'], cwd: folder.path });
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringMatching(/^error: rules\/first-rule\.test\.yml: there is no such file/u),
    });
  }
});
