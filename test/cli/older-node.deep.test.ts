import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Makes Node report an older version without `execve`. */
const OLDER =
  "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.20.2'});Object.defineProperty(process,'execve',{value:undefined})";

const COMMAND = ['bin/fanfare.mjs', 'sandbox', '--port', '0'];

interface Start {
  readonly file: string;
  readonly args: readonly string[];
  readonly data: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the sandbox in a process of another one. `ended` resolves when both processes have ended. */
async function startInside({
  file,
  args,
  data,
  env,
}: Start): Promise<{ readonly wrapper: ChildProcess; readonly ended: Promise<unknown> }> {
  const { FANFARE_PARENT_PIPE: _, NODE_OPTIONS: _options, npm_lifecycle_event: _event, ...environment } = process.env;
  const wrapper = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...environment, ...env, FANFARE_DATA: data } });
  let written = '';
  const runs = Promise.withResolvers<void>();
  wrapper.stdout.on('data', (chunk: Buffer) => {
    written += chunk.toString();
    if (written.includes('/control/events')) runs.resolve();
  });
  // Both processes write to the same pipe, so it ends with the second process.
  const ended = once(wrapper.stdout, 'end');
  await runs.promise;
  return { wrapper, ended };
}

test.for(['SIGKILL', 'SIGINT', 'SIGTERM'] as const)(
  'on an older Node, %s to the process that was started leaves nothing running',
  async (signal) => {
    using folder = temporaryFolder();
    const { wrapper, ended } = await startInside({ file: process.execPath, args: ['--import', OLDER, ...COMMAND], data: folder.path });
    wrapper.kill(signal);

    await expect(ended).resolves.toBeDefined();
  },
);

test.skipIf(process.platform === 'win32')('SIGTERM to the shell of npm leaves nothing running', async () => {
  using folder = temporaryFolder();
  const args = ['-c', `'${process.execPath}' ${COMMAND.join(' ')}; true`];
  const { wrapper, ended } = await startInside({ file: 'sh', args, data: folder.path, env: { npm_lifecycle_event: 'npx' } });
  wrapper.kill('SIGTERM');

  await expect(ended).resolves.toBeDefined();
});

test.skipIf(process.platform === 'win32')('SIGTERM ends npm start while it builds', async () => {
  using folder = temporaryFolder();
  const bin = join(folder.path, 'bin');
  mkdirSync(bin);
  for (const name of ['fanfare.mjs', 'fresh-build.mjs']) cpSync(join('bin', name), join(bin, name));
  writeFileSync(join(bin, 'build.mjs'), "console.log('builds'); setTimeout(() => console.log('built'), 3000);");
  const args = [join(bin, 'fanfare.mjs'), 'start', '--build'];
  const start = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, npm_lifecycle_event: 'start' },
  });
  let written = '';
  start.stdout.on('data', (chunk: Buffer) => (written += chunk.toString()));
  await once(start.stdout, 'data');

  start.kill('SIGTERM');

  expect(await once(start, 'exit')).toEqual([null, 'SIGTERM']);
  expect(written).toBe('builds\n');
});
