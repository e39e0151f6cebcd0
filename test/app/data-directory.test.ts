import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openConfig } from '#src/config/open-config.ts';
import { folderRemedy, makeDataDirectory } from '#src/config/data-directory.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Root can write to every folder. */
const isRoot = process.getuid?.() === 0;

test.for([
  ['ENOSPC', 'make room there, or move the folder to another disk and set FANFARE_DATA'],
  ['EDQUOT', 'make room there, or move the folder to another disk and set FANFARE_DATA'],
  ['EACCES', 'run the command as the user of Fanfare, for example with sudo -u fanfare, or let this user write to the folder'],
  ['ENOENT', 'connect the disk of this path, or correct FANFARE_DATA'],
  ['EPERM', 'make the folder writable, or move it to another place and set FANFARE_DATA'],
  ['EROFS', 'make the disk writable, or move the folder to another disk and set FANFARE_DATA'],
] as const)('a folder that cannot be written because of %s has the remedy: %s', ([code, remedy]) => {
  expect(folderRemedy(code)).toBe(remedy);
});

test.skipIf(isRoot || process.platform === 'win32')(
  'an existing folder without write permission is an error before anything is stored in it',
  async () => {
    using folder = temporaryFolder({ inMemory: true });
    chmodSync(folder.path, 0o500);

    await expect(makeDataDirectory(openConfig({ FANFARE_DATA: folder.path }))).rejects.toMatchObject({
      name: 'ConfigError',
      message: 'the data folder cannot be written to',
      file: folder.path,
      hint: `EACCES: ${folderRemedy('EACCES')}`,
    });
  },
);

test.skipIf(process.platform !== 'linux').for(['/proc/fanfare', '/proc/fanfare/data', '/proc/self/fd/fanfare'])(
  'a folder that the system never creates is an error: %s',
  async (path) => {
    await expect(makeDataDirectory(openConfig({ FANFARE_DATA: path }))).rejects.toMatchObject({
      name: 'ConfigError',
      message: 'the data folder cannot be created',
      file: path,
      hint: `ENOENT: ${folderRemedy('ENOENT')}`,
    });
  },
);

test.for(['file', 'file/data'])('a file in place of a folder is an error: %s', async (path) => {
  using folder = temporaryFolder({ inMemory: true });
  writeFileSync(`${folder.path}/file`, '');

  await expect(makeDataDirectory(openConfig({ FANFARE_DATA: `${folder.path}/${path}` }))).rejects.toMatchObject({
    message: 'the data folder cannot be created',
    hint: `EEXIST: ${folderRemedy('EEXIST')}`,
  });
});

test.skipIf(process.platform === 'win32')('a folder is created with its parents, for its owner only', async () => {
  using folder = temporaryFolder({ inMemory: true });

  await makeDataDirectory(openConfig({ FANFARE_DATA: `${folder.path}/one/two` }));

  expect(statSync(`${folder.path}/one/two`).isDirectory()).toBe(true);
  expect(statSync(`${folder.path}/one`).mode & 0o777).toBe(0o700);
});
