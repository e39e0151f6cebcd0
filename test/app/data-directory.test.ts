import { chmodSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openConfig } from '#src/config/open-config.ts';
import { folderRemedy, makeDataDirectory } from '#src/config/data-directory.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** For root every folder can be written to. */
const isRoot = process.getuid?.() === 0;

test.for([
  ['ENOSPC', 'make room there, or point FANFARE_DATA at another disk'],
  ['EDQUOT', 'make room there, or point FANFARE_DATA at another disk'],
  ['EACCES', 'set FANFARE_DATA to a writable folder'],
  ['EROFS', 'set FANFARE_DATA to a writable folder'],
] as const)('who cannot write for %s is told to %s', ([code, remedy]) => {
  expect(folderRemedy(code)).toBe(remedy);
});

test.skipIf(isRoot || process.platform === 'win32')(
  'a folder that is there and cannot be written to is told before anything is kept in it',
  async () => {
    using folder = temporaryFolder({ inMemory: true });
    chmodSync(folder.path, 0o500);

    await expect(makeDataDirectory(openConfig({ FANFARE_DATA: folder.path }))).rejects.toMatchObject({
      name: 'ConfigError',
      message: 'the data folder cannot be written to',
      file: folder.path,
      hint: 'EACCES: set FANFARE_DATA to a writable folder',
    });
  },
);
