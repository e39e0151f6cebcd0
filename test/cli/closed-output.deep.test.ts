import { spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fetch } from 'undici';
import { expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
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

test.skipIf(process.platform !== 'linux')('a start whose log is on a full disk continues, and ends as asked', async () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, 'rules'));
  const port = await freePort();
  const env = { PATH: process.env['PATH'], FANFARE_DATA: join(folder.path, 'data'), PORT: String(port), LOG_LEVEL: 'debug' };
  const log = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [resolve('bin/fanfare.mjs'), 'start'], { cwd: folder.path, env, stdio: ['ignore', log, 'ignore'] });
  closeSync(log);
  const ended = once(child, 'close');

  const get = async (path: string): Promise<string> => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  await expect.poll(() => get('/healthz').catch(String)).toContain('ok');
  // The change writes a line to the log.
  writeFileSync(join(folder.path, 'rules/live.yaml'), RULE);
  await expect.poll(() => get('/api/rules').catch(String)).toContain('"live"');
  child.kill('SIGTERM');
  const [code]: readonly unknown[] = await ended;

  expect(code).toBe(0);
});

test.skipIf(process.platform !== 'linux')('a sandbox that cannot save its variables ends as a failure', async () => {
  using folder = temporaryFolder();
  const env = { PATH: process.env['PATH'], FANFARE_DATA: join(folder.path, 'data') };
  const [full, errors] = [openSync('/dev/full', 'w'), openSync(join(folder.path, 'errors'), 'w')];
  const stdio = ['ignore', full, errors] satisfies StdioOptions;
  const child = spawn(process.execPath, [resolve('bin/fanfare.mjs'), 'sandbox', '--port', '0'], { cwd: folder.path, env, stdio });
  for (const file of [full, errors]) closeSync(file);
  const [code]: readonly unknown[] = await once(child, 'close');

  expect(code).toBe(1);
  expect(readFileSync(join(folder.path, 'errors'), 'utf8')).toContain('ENOSPC');
});
