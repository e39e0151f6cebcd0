import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Makes Node report an older version without `execve`. */
const OLDER =
  "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.20.2'});Object.defineProperty(process,'execve',{value:undefined})";

/** Starts the sandbox with an older Node. `ended` resolves when both processes have ended. */
async function startByOlderNode(data: string): Promise<{ readonly wrapper: ChildProcess; readonly ended: Promise<unknown> }> {
  const args = ['--import', OLDER, 'bin/fanfare.mjs', 'sandbox', '--port', '0'];
  const { FANFARE_PARENT_PIPE: _, NODE_OPTIONS: _options, ...environment } = process.env;
  const wrapper = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...environment, FANFARE_DATA: data } });
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
    const { wrapper, ended } = await startByOlderNode(folder.path);
    wrapper.kill(signal);

    await expect(ended).resolves.toBeDefined();
  },
);
