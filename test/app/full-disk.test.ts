import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, type TestContext } from 'vitest';
import { examineMachine } from '#src/admin/doctor/machine.ts';
import { addToDotEnv } from '#src/admin/accounts/dot-env.ts';
import { writeNew } from '#src/admin/scaffold/write-new.ts';
import { backUp } from '#src/app/backup.ts';
import { restore } from '#src/app/restore.ts';
import { openState } from '#src/app/stored-state.ts';
import { openStore } from '#src/store/store.ts';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Fills a state with which Fanfare has started with about this many bytes. */
async function fillState(folder: string, bytes: number): Promise<void> {
  await using store = await openStore({ file: join(folder, 'fanfare.sqlite') });
  await store.environments.begin('real', { isAlone: true });
  await store.ruleSources.change({ save: [{ file: 'large.yaml', source: 'x'.repeat(bytes) }], forget: [] });
}

function smallDisk({ skip }: TestContext): SmallDisk {
  return mountSmallDisk() ?? skip('this user cannot mount a disk');
}

const FULL = 'the file cannot be written: the disk is full';

describe('on a full disk', () => {
  test.for([0, 8_192, 65_536, 300_000])('with %i free bytes, a backup names its file and leaves no files', async (freeBytes, context) => {
    using folder = temporaryFolder();
    using disk = smallDisk(context);
    await fillState(folder.path, 400_000);
    disk.fill(freeBytes);
    const file = join(disk.path, 'backup.sqlite');

    const backup = backUp({ environment: { FANFARE_DATA: folder.path }, file });

    await expect(backup).rejects.toMatchObject({ name: 'ConfigError', message: FULL, file });
    expect(readdirSync(disk.path)).toEqual(['filler']);
  });

  test('a restore keeps the previous state', async (context) => {
    using folder = temporaryFolder();
    using disk = smallDisk(context);
    await fillState(folder.path, 400_000);
    await fillState(disk.path, 100);
    disk.fill(65_536);

    const restoring = restore({ environment: { FANFARE_DATA: disk.path }, file: join(folder.path, 'fanfare.sqlite') });

    await expect(restoring).rejects.toMatchObject({ name: 'ConfigError', message: FULL });
    expect(readdirSync(disk.path).filter((name) => /restoring|partial|before/u.test(name))).toEqual([]);
    await using store = await openStore({ file: join(disk.path, 'fanfare.sqlite') });
    expect((await store.ruleSources.load()).get('large.yaml')?.source).toBe('x'.repeat(100));
  });

  test('a new rule file has the remedy, and leaves no files', async (context) => {
    using disk = smallDisk(context);
    disk.fill(0);

    await expect(writeNew(join(disk.path, 'live.yaml'), 'id: live\n')).rejects.toMatchObject({
      message: 'the file cannot be written (ENOSPC)',
      hint: expect.stringContaining('make room'),
    });
    expect(readdirSync(disk.path)).toEqual(['filler']);
  });

  test('.env gets no part of a token', async (context) => {
    using disk = smallDisk(context);
    const file = join(disk.path, '.env');
    const before = `# ${'x'.repeat(4_000)}\n`;
    writeFileSync(file, before);
    disk.fill(0);

    await expect(addToDotEnv(file, { DISCORD_TOKEN: 'x'.repeat(200) })).rejects.toMatchObject({
      message: 'the file cannot be written (ENOSPC)',
      hint: 'set these variables in the environment of Fanfare: DISCORD_TOKEN',
    });
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test('the doctor says so, and leaves no files', async (context) => {
    using disk = smallDisk(context);
    disk.fill(0);

    const checks = await examineMachine({
      dataDirectory: disk.path,
      keyFile: join(disk.path, 'key'),
      environmentKey: undefined,
      environmentFile: join(disk.path, '.env'),
    });

    expect(checks).toContainEqual(
      expect.objectContaining({ about: 'data folder', state: 'bad', what: `${disk.path} is not writable: ENOSPC` }),
    );
    expect(readdirSync(disk.path)).toEqual(['filler']);
  });

  test('a write to the state fails with a message for the operator', async (context) => {
    using disk = smallDisk(context);
    await using store = await openStore({ file: join(disk.path, 'fanfare.sqlite') });
    disk.fill(16_384);

    const write = store.ruleSources.change({ save: [{ file: 'large.yaml', source: 'x'.repeat(400_000) }], forget: [] });

    await expect(write).rejects.toMatchObject({
      name: 'DatabaseUnavailable',
      message: 'the state cannot be used: the disk is full',
      hint: `free some space in ${disk.path}, or move the folder to another disk and set FANFARE_DATA`,
    });
  });
});

describe('a state that was cut to 0 bytes', () => {
  test.for(['key', 'fanfare.sqlite-wal', 'fanfare.sqlite-sender', 'fanfare.sqlite.before-2026-11-20'])(
    'is refused if %s shows that Fanfare ran here, and nothing is written',
    async (rest) => {
      using folder = temporaryFolder();
      const file = join(folder.path, 'fanfare.sqlite');
      const backup = join(folder.path, 'copy');
      await fillState(folder.path, 100);
      writeFileSync(join(folder.path, rest), 'x');
      truncateSync(file);
      const refusal = { name: 'ConfigError', file, message: expect.stringContaining(rest) };

      await expect(openState({ dataDirectory: folder.path, databaseUrl: undefined })).rejects.toMatchObject(refusal);
      await expect(backUp({ environment: { FANFARE_DATA: folder.path }, file: backup })).rejects.toMatchObject(refusal);

      expect(readdirSync(folder.path).toSorted()).toEqual([rest, 'fanfare.sqlite'].toSorted());
    },
  );

  test('is a new state if nothing else is in the folder', async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'fanfare.sqlite'), '');

    await (await openState({ dataDirectory: folder.path, databaseUrl: undefined }))[Symbol.asyncDispose]();

    expect(existsSync(join(folder.path, 'fanfare.sqlite'))).toBe(true);
  });
});
