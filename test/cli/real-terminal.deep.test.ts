import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '#sandbox/index.ts';
import { eventually } from '../support/fanfare-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({});
});
afterAll(() => sandbox[Symbol.asyncDispose]());

interface Screen {
  /** The whole output. */
  readonly text: () => string;
  /** Types after a text appears. */
  type(after: RegExp, keys: string): Promise<void>;
  /** The exit code of the command. */
  readonly ended: Promise<number | null>;
}

/** Runs a command in the terminal of `script`. */
function inTerminal(command: string, environment: Readonly<Record<string, string>>, cwd: string): Screen {
  const shell = `${process.execPath} ${resolve('bin/fanfare.mjs')} ${command}`;
  const child = spawn('script', ['-qec', shell, '/dev/null'], {
    cwd,
    env: { PATH: process.env['PATH'], TERM: 'xterm', SHELL: '/bin/sh', ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let text = '';
  let seen = 0;
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return {
    text: () => text,
    async type(after, keys) {
      const found = await eventually(`${after.source} on the screen`, async () => after.exec(text.slice(seen)) ?? undefined);
      seen += found.index + found[0].length;
      child.stdin.write(keys);
    },
    ended: new Promise((done) => child.once('close', done)),
  };
}

function environmentOf(folder: string): Readonly<Record<string, string>> {
  const { BLUESKY_APP_PASSWORD: _, ...bluesky } = sandbox.onRequest['bluesky'] ?? {};
  return { ...bluesky, FANFARE_DATA: join(folder, 'data') };
}

/** On other systems, `script` has other options. */
const isElsewhere = process.platform !== 'linux';

test.skipIf(isElsewhere)('auth asks until the password is right and never shows it', async () => {
  using folder = temporaryFolder();
  const right = sandbox.onRequest['bluesky']?.['BLUESKY_APP_PASSWORD'] ?? '';
  const screen = inTerminal('auth bluesky', environmentOf(folder.path), folder.path);

  await screen.type(/App password of bluesky/u, 'not-the-password\r');
  await screen.type(/rejects this handle and app password.*App password of bluesky \(leave empty to stop\)/su, `${right}\r`);

  expect(await screen.ended).toBe(0);
  expect(screen.text()).toMatch(/✓.* bluesky: signed in as @fanfare\.sandbox\.test/u);
  expect(screen.text()).not.toContain('not-the-password');
  expect(screen.text()).not.toContain(right);
});

test.skipIf(isElsewhere)('Ctrl+C ends auth at once without an error', async () => {
  using folder = temporaryFolder();
  const screen = inTerminal('auth bluesky', environmentOf(folder.path), folder.path);

  await screen.type(/App password of bluesky/u, 'half-a-pass\u0003');

  expect(await screen.ended).toBe(130);
  expect(screen.text()).not.toMatch(/error|half-a-pass/u);
});
