import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sandboxStateWarnings } from '#src/app/sandbox-state.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ACCOUNT = { DISCORD_TOKEN: 'token', DISCORD_GUILD_ID: '1202584131993600001' };

test('before the first account is connected, the state of the sandbox is named', () => {
  using folder = temporaryFolder({ inMemory: true });
  const environment = { FANFARE_DATA: folder.path, FANFARE_RULES: join(folder.path, 'rules') };

  const before = sandboxStateWarnings(environment);
  writeFileSync(join(folder.path, 'sandbox.sqlite'), '');

  expect(before).toEqual([]);
  expect(sandboxStateWarnings(environment)).toEqual([
    `! ${folder.path} has the state of the sandbox: what still waits in it will be sent to your accounts.`,
    '  To begin without it: stop Fanfare, move the files of this folder to another folder, and run this command again.',
  ]);
  expect(sandboxStateWarnings({ ...environment, ...ACCOUNT })).toEqual([]);
});
