import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSandbox } from '#sandbox/index.ts';
import { eventually, launch } from '../support/fanfare-process.ts';
import { runCommand } from '../support/run-command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { controlApi } from '../support/control-api.ts';

const FOLLOWERS = `id: followers
when: { every: 1m, watch: streaming.getFollowers, account: twitch }
then: [{ do: discord.send, with: { channel: live, content: hello } }]
`;
const CHAT = `id: chat
when: { every: 1h }
then: [{ do: streaming.sendChatMessage, as: twitch, with: { text: hello } }]
`;

/** Runs `fanfare auth twitch --channel`, and allows the access as the person would, with these permissions. */
async function signIn(environment: Readonly<Record<string, string>>, url: string, scopes?: readonly string[]) {
  await using command = await launch({ args: ['auth', 'twitch', '--channel'], environment });
  let code = '';
  await eventually('the command shows a code', async () => {
    [, code = ''] = /enter the code (\w+)/u.exec(command.output()) ?? [];
    return code !== '';
  });
  await controlApi(url)('/twitch/activate', { code, user: 'ada', scopes });
  return { exit: await command.exit, output: command.output() };
}

test('the command asks for the permissions that the rules need, and doctor names a missing one', async () => {
  await using sandbox = await startSandbox({});
  using folder = temporaryFolder();
  const rules = join(folder.path, 'rules');
  mkdirSync(rules);
  const environment: Readonly<Record<string, string>> = {
    ...sandbox.environment,
    FANFARE_DATA: join(folder.path, 'data'),
    FANFARE_RULES: rules,
  };
  const doctor = async (): Promise<string> => (await runCommand({ args: ['doctor'], environment })).output;

  writeFileSync(join(rules, 'followers.yaml'), FOLLOWERS);
  expect(await doctor()).toContain('moderator:read:followers was not granted');

  const reading = await signIn(environment, sandbox.url);
  expect(reading.output).toContain('moderator:read:followers');
  expect(reading.output).not.toContain('user:write:chat');
  expect([reading.exit, reading.output]).toEqual([0, expect.stringContaining('the channel ada is signed in')]);
  expect(await doctor()).not.toContain('was not granted');

  writeFileSync(join(rules, 'chat.yaml'), CHAT);
  expect(await doctor()).toMatch(/user:write:chat was not granted[^]*npx fanfare auth twitch --channel/u);

  const refused = await signIn(environment, sandbox.url, ['moderator:read:followers']);
  expect(refused.output).toContain('user:write:chat was not granted');
  const granted = await signIn(environment, sandbox.url);
  expect([granted.exit, granted.output]).toEqual([0, expect.not.stringContaining('was not granted')]);
  expect(await doctor()).not.toContain('was not granted');
});
