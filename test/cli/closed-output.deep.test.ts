import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const RULE = 'id: live\nwhen: { every: 1h }\nthen: [{ do: discord.send, with: { channel: live, content: x } }]\n';

/** The exit code of a command whose reader closes the output: at once, or after its first piece. */
async function codeOf(
  args: readonly string[],
  { cwd, isReadFirst }: { readonly cwd: string; readonly isReadFirst: boolean },
): Promise<unknown> {
  const env = { PATH: process.env['PATH'], FANFARE_DATA: join(cwd, 'data'), PORT: '0', LOG_LEVEL: 'debug' };
  const child = spawn(process.execPath, [resolve('bin/fanfare.mjs'), ...args], { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'close');
  if (isReadFirst) await once(child.stdout, 'data');
  child.stdout.destroy();
  // The process finds out with its next line. After the start, a change of the rules writes one.
  if (isReadFirst) writeFileSync(join(cwd, 'rules/live.yaml'), RULE);
  const [code]: readonly unknown[] = await ended;
  return code;
}

test.for(['check', 'doctor'])('%s keeps its exit code if no process reads its output', async (command) => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, 'rules'));
  writeFileSync(join(folder.path, 'rules/live.yaml'), 'id: live\nwhen: { evry: 1m }\n');

  expect(await codeOf([command], { cwd: folder.path, isReadFirst: false })).toBe(1);
  expect(await codeOf([command, '--json'], { cwd: folder.path, isReadFirst: false })).toBe(1);
});

test('a start whose log no process reads ends as a failure, so that a supervisor starts it again', async () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, 'rules'));

  expect(await codeOf(['start'], { cwd: folder.path, isReadFirst: true })).toBe(1);
});
