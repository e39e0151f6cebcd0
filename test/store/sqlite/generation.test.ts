import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDatabaseHealth } from '#src/admin/queries/database-health.ts';
import { backUp } from '#src/app/backup.ts';
import { noteRestoredState } from '#src/app/note-restore.ts';
import { restore } from '#src/app/restore.ts';
import { openRunningState } from '#src/app/running-state.ts';
import { withStoredState } from '#src/app/stored-state.ts';
import { systemClock } from '#src/clock.ts';
import { openConfig } from '#src/config/open-config.ts';
import { createLog } from '#src/log.ts';
import { openStore } from '#src/store/store.ts';
import { committing, creating, firing, keysOf } from '../../support/firings.ts';
import { settle } from '../../contract/delivery-steps.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const WARNING = 'the state was restored from a copy';

function installation() {
  const folder = temporaryFolder({ inMemory: true });
  const data = join(folder.path, 'data');
  const environment = { FANFARE_DATA: data, FANFARE_RULES: join(folder.path, 'rules') };
  const config = openConfig(environment);
  const file = join(data, 'fanfare.sqlite');
  const lines: string[] = [];
  const log = createLog({ level: 'warn', secrets: [], write: (line) => lines.push(line), color: false });
  const database = createDatabaseHealth({ onChange: () => undefined, clock: systemClock, log });
  const start = () => openRunningState({ config, worker: 'one', role: 'all', database, log });
  let episodes = 0;
  return {
    path: folder.path,
    start,
    environment,
    config,
    file,
    generation: `${file}-generation`,
    copy: join(folder.path, 'copy.sqlite'),
    /** Starts Fanfare, announces a stream, and ends it. `work` runs before the end. */
    async run(work: () => unknown = () => undefined): Promise<void> {
      await using state = await start();
      await state.store.ruleStates.commit(committing([firing([creating(['x'])], { episode: `ada@${++episodes}` })]));
      await work();
    },
    /** The number of warnings about a restore since the last call. */
    warnings: () => lines.splice(0).filter((line) => line.includes(WARNING)).length,
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

type Installation = ReturnType<typeof installation>;

/** Puts the database of `from` in the place of the state. */
function putBack({ file }: Installation, from: string): void {
  for (const part of ['-wal', '-shm']) rmSync(file + part, { force: true });
  cpSync(from, file);
}

test.for<readonly [what: string, warnings: number, change: (place: Installation) => unknown]>([
  ['nothing', 0, () => undefined],
  ['commands that read the state', 0, ({ config }) => withStoredState(config, ({ deliveryLog }) => deliveryLog.counts())],
  ['a lost file of the generation', 0, ({ generation }) => rmSync(generation)],
  ['an unreadable file of the generation', 0, ({ generation }) => writeFileSync(generation, 'x')],
  ['a state that was deleted', 0, ({ file }) => ['', '-wal', '-shm'].forEach((part) => rmSync(file + part, { force: true }))],
  ['the state of another installation, or of an earlier version', 1, ({ generation }) => writeFileSync(generation, 'other 1\n')],
  ['an older copy of the file', 1, (place) => putBack(place, place.copy)],
  ['fanfare restore without a file', 1, ({ environment }) => noteRestoredState(environment)],
])('after %s, a start warns %i times', async ([, warnings, change]) => {
  using place = installation();
  await place.run();
  cpSync(place.file, place.copy);
  await place.run();
  expect(place.warnings()).toBe(0);

  await change(place);
  place.warnings();
  await place.run();

  expect(place.warnings()).toBe(warnings);
  await place.run();
  expect(place.warnings()).toBe(0);
});

test('a copy from a time before the first announcement is noticed', async () => {
  using place = installation();
  await (await place.start())[Symbol.asyncDispose]();
  cpSync(place.file, place.copy);
  await place.run();
  putBack(place, place.copy);
  place.warnings();

  await place.run();

  expect(place.warnings()).toBe(1);
});

test('a state that lost its write-ahead log is noticed', async () => {
  using place = installation();
  await place.run();
  const killed = join(place.path, 'killed');
  await place.run(() => {
    expect(existsSync(`${place.file}-wal`)).toBe(true);
    cpSync(join(place.file, '..'), killed, { recursive: true });
  });
  cpSync(killed, join(place.file, '..'), { recursive: true });
  place.warnings();
  for (const part of ['-wal', '-shm']) rmSync(place.file + part, { force: true });

  await place.run();

  expect(place.warnings()).toBe(1);
});

test.for(['without the file of the generation', 'with it'])(
  'a backup that was put in the place of the state is noticed, %s',
  async (how) => {
    using place = installation();
    const { environment, config, copy, file, generation } = place;
    await place.run(() => backUp({ environment, file: copy }));
    await place.run();
    putBack(place, copy);
    if (how !== 'with it') rmSync(generation);
    place.warnings();
    // The first program that opens it notes the restore, because it gives the file a write-ahead log.
    await withStoredState(config, ({ deliveryLog }) => deliveryLog.counts());

    await place.run();
    expect(place.warnings()).toBe(1);
    await place.run();
    expect(place.warnings()).toBe(0);
    expect(existsSync(file)).toBe(true);
  },
);

test('fanfare restore notes the restore once, and the later generation is no second one', async () => {
  using place = installation();
  const { environment, copy, generation } = place;
  await place.run(() => backUp({ environment, file: copy }));
  await place.run();

  await restore({ environment, file: copy });
  expect(existsSync(generation)).toBe(false);
  await place.run();

  expect(place.warnings()).toBe(1);
  await place.run();
  expect(place.warnings()).toBe(0);
});

test('a copy from the time before a waiting announcement was sent is noticed', async () => {
  using place = installation();
  const { file, copy } = place;
  const announcement = firing([creating(['x'])]);
  {
    await using state = await place.start();
    const { store } = state;
    await store.ruleStates.commit(committing([announcement]));
    await store.generation?.raise();
    for (const part of ['', '-wal']) cpSync(file + part, copy + part);
    await settle(store, keysOf(announcement)[0], { state: 'sent' });
  }
  putBack(place, copy);
  cpSync(`${copy}-wal`, `${file}-wal`);
  place.warnings();

  await place.run();

  expect(place.warnings()).toBe(1);
});

test('only changes raise the generation of a running process', async () => {
  using place = installation();
  const { config, generation } = place;
  await place.run();
  const before = readFileSync(generation, 'utf8');
  await withStoredState(config, async ({ generation: opened }) => {
    await opened?.raise();
    const raised = readFileSync(generation, 'utf8');
    await opened?.raise();
    expect(readFileSync(generation, 'utf8')).toBe(raised);
    expect(raised).not.toBe(before);
  });
  expect(readdirSync(join(generation, '..')).filter((name) => name.includes('partial'))).toEqual([]);
});

test('a file of the generation that cannot be written is in the log once, and once when it can', async () => {
  using place = installation();
  await place.run();
  const { file, generation } = place;
  const clock = new ManualClock();
  const lines: string[] = [];
  const log = createLog({ level: 'info', secrets: [], write: (line) => lines.push(line), color: false });
  await using store = await openStore({ file, clock });
  const announce = (episode: string) =>
    store.ruleStates.commit(committing([firing([creating(['x'])], { episode })], { slotMs: clock.nowMs() }));
  const stop = new AbortController();
  rmSync(generation);
  mkdirSync(generation);

  await store.generation?.begin(log);
  const keeping = store.generation?.keep(log, stop.signal);
  await announce('first');
  await clock.advance(30_000);
  rmdirSync(generation);
  await announce('second');
  await clock.advance(30_000);
  stop.abort();
  await keeping;

  expect(lines.map((line) => /(?:cannot be stored|can be stored again)/u.exec(line)?.[0])).toEqual([
    'cannot be stored',
    'can be stored again',
  ]);
  expect(readFileSync(generation, 'utf8')).toMatch(/^\S+ \d+\n$/u);
});
