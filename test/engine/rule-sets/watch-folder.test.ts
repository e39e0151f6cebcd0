import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { watchFolder } from '#src/engine/rule-sets/watch-folder.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** How long a folder is unchanged before it is read. */
const STILL_MS = 200;

/** A watched folder or file, and the reads of it. */
async function watching(path: string) {
  const clock = new ManualClock();
  const pausesMs: number[] = [];
  const stopping = new AbortController();
  let reads = 0;
  const watched = watchFolder({
    path,
    onChange: () => Promise.resolve(reads++),
    clock: { nowMs: () => clock.nowMs(), sleep: (ms, signal) => (pausesMs.push(ms), clock.sleep(ms, signal)) },
    signal: stopping.signal,
  });
  const folder = {
    reads: () => reads,
    pass: (ms: number) => clock.advance(ms),
    /** Changes the folder, and waits until the system reports it. */
    async change(change: () => Promise<unknown>): Promise<void> {
      const before = pausesMs.length;
      await change();
      await expect.poll(() => pausesMs.slice(before), { interval: 3 }).toContain(STILL_MS);
      await clock.advance(0);
    },
    /** Changes the folder, and waits until it is read. */
    async read(change: () => Promise<unknown>): Promise<void> {
      const before = reads;
      await folder.change(change);
      await clock.advance(STILL_MS);
      await expect.poll(() => reads, { interval: 3 }).toBe(before + 1);
      await clock.advance(0);
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await watched;
    },
  };
  await expect.poll(() => pausesMs, { interval: 3 }).toHaveLength(1);
  return folder;
}

test('every way to write a file is noticed, and a burst of writes once', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'a.yaml');
  await using watched = await watching(folder.path);

  await watched.read(() => writeFile(file, '1'));
  await watched.read(() => writeFile(file, '2'));
  await watched.read(async () => {
    await writeFile(`${file}.swp`, '3');
    await rename(`${file}.swp`, file);
    await writeFile(file, '4');
  });
  await watched.read(() => writeFile(file, '5'));
  await watched.read(() => rm(file));

  expect(watched.reads()).toBe(6);
});

test('a folder is read when it has been unchanged for 200 ms, or has changed for 2 s', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'a.yaml');
  await using watched = await watching(folder.path);

  await watched.change(() => writeFile(file, '1'));
  await watched.pass(199);
  await watched.change(() => writeFile(file, '2'));
  await watched.pass(199);
  expect(watched.reads()).toBe(1);
  await watched.pass(1);
  await expect.poll(watched.reads).toBe(2);

  await watched.change(() => writeFile(file, '3'));
  for (let count = 0; count < 19; count++) {
    await watched.pass(100);
    await watched.change(() => writeFile(file, String(count)));
  }
  expect(watched.reads()).toBe(2);
  await watched.pass(100);
  await writeFile(file, '4');
  await expect.poll(watched.reads).toBe(3);
});

test('without a reported change, a folder is read every 30 s', async () => {
  using folder = temporaryFolder();
  await using watched = await watching(join(folder.path, 'none'));

  await watched.pass(29_999);
  expect(watched.reads()).toBe(1);
  await watched.pass(1);
  await expect.poll(watched.reads).toBe(2);
});

test('a changed file is detected through its folder, even if it is replaced', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'a.yaml');
  await writeFile(file, '1');
  await using watched = await watching(file);

  await watched.read(async () => {
    await writeFile(`${file}.swp`, '2');
    await rename(`${file}.swp`, file);
  });
  await watched.read(() => writeFile(file, '3'));

  expect(watched.reads()).toBe(3);
});

test('a new folder and its files are noticed', async () => {
  using folder = temporaryFolder();
  const below = join(folder.path, 'games', 'chess');
  await using watched = await watching(folder.path);

  await watched.read(() => mkdir(below, { recursive: true }));
  await watched.read(() => writeFile(join(below, 'a.yaml'), '1'));
  await watched.read(() => writeFile(join(below, 'a.yaml'), '2'));

  expect(watched.reads()).toBe(4);
});

test('a replaced folder is noticed', async () => {
  using folder = temporaryFolder();
  const [rules, other] = [join(folder.path, 'rules'), join(folder.path, 'other')];
  await mkdir(rules);
  await mkdir(other);
  await using watched = await watching(rules);

  await watched.read(async () => {
    await rm(rules, { recursive: true });
    await rename(other, rules);
  });
  await watched.read(() => writeFile(join(rules, 'a.yaml'), '1'));

  expect(watched.reads()).toBe(3);
});
