import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '#src/store/store.ts';
import { SLOT_MS } from '../support/firings.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a killed process loses no slot, even without a sync of the disk', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'state.sqlite');
  const child = spawn(process.execPath, [join(import.meta.dirname, 'kill-process.ts'), file, '100'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [printed] = await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await ended;

  await using store = await openStore({ file });

  expect([String(printed), (await store.ruleStates.lastSlots()).get('live')?.slotMs]).toEqual(['done\n', SLOT_MS + 100]);
});
