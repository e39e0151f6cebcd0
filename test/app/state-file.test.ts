import { readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refuseTarget } from '#src/app/backup-target.ts';
import { unreadable } from '#src/app/restore.ts';
import { keepUnconfirmed, placeState, replaceState, retireState } from '#src/app/state-file.ts';
import { ConfigError } from '#src/errors.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Renames files as Windows does, where a program has a file open. */
function renameBeside(open: string): (from: string, to: string) => void {
  return (from, to) => {
    if (from.endsWith(open)) throw Object.assign(new Error('EBUSY: resource busy or locked, rename'), { code: 'EBUSY', syscall: 'rename' });
    renameSync(from, to);
  };
}

function files(path: string): string {
  for (const name of ['state', 'state-wal', 'state-shm', 'fresh']) writeFileSync(join(path, name), name);
  return join(path, 'state');
}

test.each(['state', 'state-wal', 'state-shm', 'fresh'])('a state whose file %s is in use keeps its place', (open) => {
  using folder = temporaryFolder();
  const state = files(folder.path);
  const before = readdirSync(folder.path);
  const rename = renameBeside(open);

  expect(errorOf(() => replaceState(state, join(folder.path, 'fresh'), rename))).toMatchObject({
    message: expect.stringMatching(/nothing has changed \(EBUSY\)$/u) as unknown,
    file: state,
    hint: expect.stringContaining('run the command again') as unknown,
  });

  expect(readdirSync(folder.path)).toEqual(before);
});

/** The `ConfigError` that a function throws. */
function errorOf(act: () => unknown): ConfigError {
  try {
    act();
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('there was no error');
}

test.each(['state', 'state-wal', 'state-shm'])(
  'a state in PostgreSQL whose file %s is in use keeps its files and says what to do',
  (open) => {
    using folder = temporaryFolder();
    const state = files(folder.path);
    const before = readdirSync(folder.path);

    const { message, file, hint } = errorOf(() => retireState(state, 'db.test/fanfare', renameBeside(open)));

    expect([message, file]).toEqual([expect.stringMatching(/moved to db\.test\/fanfare.*\(EBUSY\)$/u), state]);
    expect(hint).toMatch(/^rename it to state\.moved-.* before you start Fanfare/u);
    expect(readdirSync(folder.path)).toEqual(before);
  },
);

test('a state that cannot be put in its place has a remedy', () => {
  expect(errorOf(() => placeState('/x/fresh', '/x/state', renameBeside('fresh')))).toMatchObject({
    file: '/x/state',
    hint: expect.any(String) as unknown,
  });
});

test.each([
  ['state.unconfirmed', 'none'],
  ['state', 'state'],
])('a state that PostgreSQL did not confirm is named as %s', (kept, open) => {
  using folder = temporaryFolder();
  const state = files(folder.path);

  expect(keepUnconfirmed(state, 'fanfare_moved', renameBeside(open))).toContain(`otherwise delete ${join(folder.path, kept)},`);
  expect(readdirSync(folder.path)).toContain(kept);
});

test('a new state takes the place of the state', () => {
  using folder = temporaryFolder();
  const state = files(folder.path);

  const before = replaceState(state, join(folder.path, 'fresh')) ?? '';

  expect(before).toMatch(/state\.before-/u);
  expect(readdirSync(folder.path).map((name) => join(folder.path, name))).toEqual([state, before, `${before}-shm`, `${before}-wal`]);
  expect(replaceState(join(folder.path, 'none'), before)).toBeUndefined();
});

test.each(['fanfare.sqlite-wal', 'FANFARE.SQLITE-WAL', 'Fanfare.sqlite-shm'])(
  'a backup cannot have the name %s beside the state',
  (name) => {
    using folder = temporaryFolder();

    expect(() => refuseTarget(join(folder.path, name), join(folder.path, 'fanfare.sqlite'))).toThrow(ConfigError);
  },
);

test.each([
  ['EACCES', 'this user has no permission to read it'],
  ['EPERM', 'this user has no permission to read it'],
  ['ENOENT', 'there is no such file'],
])('a backup that cannot be read with %s has a reason', (code, message) => {
  expect(unreadable('copy.sqlite', Object.assign(new Error(code), { code })).message).toBe(message);
});
