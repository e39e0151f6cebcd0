import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
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

/** Makes two reads of `/proc` fail, as they do while a process has no free file descriptors. */
const WITHOUT_DESCRIPTORS =
  'data:text/javascript,import fs from "node:fs";import{syncBuiltinESMExports}from"node:module";let reads=0;const read=fs.readFileSync;' +
  'fs.readFileSync=(path,...rest)=>{if(String(path).startsWith("/proc/")&&[4,5].includes(++reads))throw Error("EMFILE");return read(path,...rest)};' +
  'syncBuiltinESMExports()';

test.skipIf(process.platform !== 'linux')('SIGKILL to npm, which leaves its shell, leaves nothing running', async () => {
  using folder = temporaryFolder();
  const shell = `'${process.execPath}' --import '${WITHOUT_DESCRIPTORS}' ${COMMAND.join(' ')}; true`;
  const npm = `process.title = 'npm start'; require('node:child_process').spawn('sh', ['-c', ${JSON.stringify(shell)}], { stdio: 'inherit' });`;
  const { wrapper, ended } = await startInside({
    file: process.execPath,
    args: ['-e', npm],
    data: folder.path,
    // Otherwise, the process restarts itself without the import.
    env: { npm_lifecycle_event: 'start', MALLOC_ARENA_MAX: '1' },
  });
  expect(await Promise.race([ended.then(() => 'ended'), setTimeout(3_000, 'runs')])).toBe('runs');
  wrapper.kill('SIGKILL');

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
