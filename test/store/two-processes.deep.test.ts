import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openStore } from '#src/store/store.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);

/** The number of slots that a separate process committed. */
async function commitElsewhere(file: string, slots: number): Promise<number> {
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, 'commit-process.ts'), file, String(slots)]);
  return Number(stdout);
}

test('processes that start at once on a new file commit every slot once, without a failure', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'fanfare.sqlite');

  const written = await Promise.all([commitElsewhere(file, 50), commitElsewhere(file, 50), commitElsewhere(file, 50)]);

  await using store = await openStore({ file });
  const { items } = await store.deliveryLog.list({ limit: 1_000 });
  expect(items.map(({ occasion }) => Number(occasion))).toEqual(Array.from({ length: 50 }, (_, n) => 50 - n));
  expect(written.reduce((sum, count) => sum + count)).toBe(50);
});

test('one process at a time sends the deliveries of a file; the next one starts when the first has ended', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'fanfare.sqlite');
  const clock = new ManualClock();
  await using first = await openStore({ file });
  await using second = await openStore({ file, clock });
  const never = new AbortController().signal;
  let granted = false;
  let waits = 0;

  const claim = await first.deliveries.claim({ signal: never });
  const waiting = second.deliveries.claim({ signal: never, onWait: () => waits++ }).finally(() => (granted = true));
  await clock.advance(60_000);
  const whileHeld = granted;
  claim[Symbol.dispose]();
  await clock.advance(1_000);

  expect(waits).toBe(1);
  expect(whileHeld).toBe(false);
  expect(granted).toBe(true);
  using _later = await waiting;
});

test('a wait for the claim ends with its signal', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'fanfare.sqlite');
  await using first = await openStore({ file });
  await using second = await openStore({ file });
  using _claim = await first.deliveries.claim({ signal: new AbortController().signal });
  const stop = new AbortController();

  const waiting = second.deliveries.claim({ signal: stop.signal });
  stop.abort(new Error('the program ends'));

  await expect(waiting).rejects.toThrow('the program ends');
});
