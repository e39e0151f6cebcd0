import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { watchFolder } from '#src/registry/watch-folder.ts';
import { systemClock, type Clock } from '#src/clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A clock that is five times as slow, so that a burst of writes is one burst on a busy machine. */
const patient: Clock = {
  nowMs: () => systemClock.nowMs() / 5,
  sleep: (ms, signal) => systemClock.sleep(ms * 5, signal),
};

/** The watched folder and the calls; `next` resolves with the next call. */
async function watching(path: string) {
  const stopping = new AbortController();
  let called = Promise.withResolvers<void>();
  let calls = 0;
  const onChange = (): Promise<void> => {
    calls++;
    called.resolve();
    return Promise.resolve();
  };
  const watched = watchFolder({ path, onChange, clock: patient, signal: stopping.signal });
  // After the first call, no change is missed.
  await called.promise;
  return {
    calls: () => calls,
    async next(change: () => Promise<unknown>): Promise<void> {
      called = Promise.withResolvers();
      await change();
      await called.promise;
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await watched;
    },
  };
}

test('every way to write a file is noticed, and a burst of writes once', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'a.yaml');
  await using watched = await watching(folder.path);

  await watched.next(() => writeFile(file, '1'));
  await watched.next(() => writeFile(file, '2'));
  await watched.next(async () => {
    await writeFile(`${file}.swp`, '3');
    await rename(`${file}.swp`, file);
    await writeFile(file, '4');
  });
  await watched.next(() => writeFile(file, '5'));
  await watched.next(() => rm(file));

  expect(watched.calls()).toBe(6);
});

test('a new folder and its files are noticed', async () => {
  using folder = temporaryFolder();
  const below = join(folder.path, 'games', 'chess');
  await using watched = await watching(folder.path);

  await watched.next(() => mkdir(below, { recursive: true }));
  await watched.next(() => writeFile(join(below, 'a.yaml'), '1'));
  await watched.next(() => writeFile(join(below, 'a.yaml'), '2'));

  expect(watched.calls()).toBe(4);
});

test('a replaced folder is noticed', async () => {
  using folder = temporaryFolder();
  const [rules, other] = [join(folder.path, 'rules'), join(folder.path, 'other')];
  await mkdir(rules);
  await mkdir(other);
  await using watched = await watching(rules);

  await watched.next(async () => {
    await rm(rules, { recursive: true });
    await rename(other, rules);
  });
  await watched.next(() => writeFile(join(rules, 'a.yaml'), '1'));

  expect(watched.calls()).toBe(3);
});

test('a missing folder does not end the watcher', async () => {
  using folder = temporaryFolder();
  await using watched = await watching(join(folder.path, 'none'));

  expect(watched.calls()).toBe(1);
});
