import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSandbox } from '#sandbox/index.ts';
import { openPreviewer } from '#src/app/open-previewer.ts';
import { preview } from '#src/cli/preview.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { collectLines, exitCodeOf } from './collect-lines.ts';

const RULE = `id: size
when: { cron: "0 9 * * *", timezone: UTC }
then: [{ do: discord.send, with: { channel: live, content: "\${{ string(lists.team.size()) }} people" } }]
`;

/** The output of a preview in a folder in which Fanfare never ran. */
async function previewed(team: string): Promise<{ readonly code: number; readonly text: string; readonly leftBehind: boolean }> {
  using folder = temporaryFolder();
  await using sandbox = await startSandbox();
  for (const name of ['rules', 'lists']) await mkdir(join(folder.path, name));
  await writeFile(join(folder.path, 'rules', 'size.yaml'), RULE);
  const source = `{ watch: streaming.getTeamMembers, account: twitch, with: { team: ${team} } }`;
  await writeFile(join(folder.path, 'lists', 'team.yaml'), `source: ${source}\nentries: { someone-else: {} }\n`);
  const data = join(folder.path, 'data');
  const environment = { ...sandbox.environment, FANFARE_RULES: join(folder.path, 'rules'), FANFARE_DATA: data };
  const { out, text } = collectLines();
  const open = (): ReturnType<typeof openPreviewer> => openPreviewer({ environment, write: (line) => out.printError(line) });
  const code = await exitCodeOf(preview({ openPreviewer: open, rule: 'size', items: '1', out }), out);
  return { code, text: text(), leftBehind: existsSync(data) };
}

test('a preview before the first start reads the people of a list, and stores nothing', async () => {
  const { code, text, leftBehind } = await previewed('nightshift');

  expect({ code, leftBehind }).toEqual({ code: 0, leftBehind: false });
  // Someone else is in the file only.
  expect(text).toMatch(/│ (?!1 )\d+ people/u);
});

test('a preview says why the people of a list cannot be read', async () => {
  const { code, text } = await previewed('no-such-team');

  expect(code).toBe(1);
  expect(text).toMatch(/The lists of the rule could not be read: .* its source cannot be read: twitch has no team "no-such-team"/u);
});
