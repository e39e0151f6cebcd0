import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { writeAllNew, writeNew } from '#src/admin/scaffold/write-new.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('a file is written without temporary files', async () => {
  using folder = temporaryFolder();

  await writeNew(join(folder.path, 'chess.yaml'), 'id: chess\n');

  expect(readdirSync(folder.path)).toEqual(['chess.yaml']);
  expect(readFileSync(join(folder.path, 'chess.yaml'), 'utf8')).toBe('id: chess\n');
});

// exFAT on Windows, a folder of VirtualBox, and a network drive.
test.for(['EISDIR', 'EPERM', 'ENOTSUP'])('a disk that refuses hard links with %s gets a copy, and existing files stay', async (code) => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'chess.yaml');
  const link = vi.spyOn(promises, 'link').mockRejectedValue(Object.assign(new Error(code), { code }));
  syncBuiltinESMExports();
  try {
    await writeNew(file, 'id: chess\n');
    await expect(writeNew(file, 'id: other\n')).rejects.toMatchObject({ message: 'the file already exists' });
  } finally {
    link.mockRestore();
    syncBuiltinESMExports();
  }

  expect(readdirSync(folder.path)).toEqual(['chess.yaml']);
  expect(readFileSync(file, 'utf8')).toBe('id: chess\n');
});

test('of two concurrent writes, one fails', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'chess.yaml');

  const written = await Promise.allSettled([writeNew(file, 'first'), writeNew(file, 'second')]);

  expect(written.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(readdirSync(folder.path)).toEqual(['chess.yaml']);
});

test('after a failed write, the error names the file and no temporary file is left', async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, 'rules'), 'a file in place of the folder');

  await expect(writeNew(join(folder.path, 'rules', 'chess.yaml'), 'id: chess\n')).rejects.toMatchObject({
    name: 'ConfigError',
    file: join(folder.path, 'rules', 'chess.yaml'),
  });
  expect(readdirSync(folder.path)).toEqual(['rules']);
});

test('of several files, none is written if one of them exists', async () => {
  using folder = temporaryFolder();
  const [tests, rule] = ['chess.test.yaml', 'chess.yaml'].map((name) => ({ file: join(folder.path, name), text: name }));
  if (!tests || !rule) throw new Error('there are two files');
  writeFileSync(rule.file, 'of another person');

  await expect(writeAllNew([tests, rule])).rejects.toMatchObject({ message: 'the file already exists', file: rule.file });

  expect(readdirSync(folder.path)).toEqual(['chess.yaml']);
  expect(readFileSync(rule.file, 'utf8')).toBe('of another person');
});
