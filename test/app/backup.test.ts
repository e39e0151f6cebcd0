import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Access } from '#src/admin/access/access.ts';
import { backUp } from '#src/app/backup.ts';
import { withAccess } from '#src/app/open-access.ts';
import { restore } from '#src/app/restore.ts';
import { operator } from '#src/cli/operator.ts';
import { lastBackupMs } from '#src/config/data-directory.ts';
import { copyDatabase } from '#src/store/sqlite/copy.ts';
import { ConfigError } from '#src/errors.ts';
import { silentLog } from '#src/log.ts';
import { openKey } from '#src/http/secrets/key.ts';
import { seal } from '#src/http/secrets/sealed-tokens.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { committing, creating, firing, keysOf, SLOT_MS } from '../support/firings.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function installation() {
  const folder = temporaryFolder({ inMemory: true });
  const data = join(folder.path, 'data');
  const environment = { FANFARE_DATA: data, FANFARE_RULES: join(folder.path, 'rules') };
  return {
    environment,
    data,
    state: join(data, 'fanfare.sqlite'),
    copy: join(folder.path, 'copies', 'copy.sqlite'),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

/** A state with which Fanfare has started. */
async function openUsed(file: string): Promise<Store> {
  const store = await openStore({ file });
  await store.environments.begin('real', { isAlone: true });
  return store;
}

const [early, late] = [firing([creating(['x'])]), firing([creating(['x'])], { episode: 'grace@1' })];

test('a backup of a running Fanfare contains all commits, even those that are only in the write-ahead log', async () => {
  using place = installation();
  await using store = await openStore({ file: place.state });
  await store.ruleStates.commit(committing([early]));

  const backup = await backUp({ environment: place.environment, file: place.copy });

  expect(statSync(`${place.state}-wal`).size).toBeGreaterThan(0);
  expect(backup).toMatchObject({ file: place.copy, apart: [] });
  expect(statSync(place.copy).mode & 0o077).toBe(0);
  expect(readdirSync(join(place.copy, '..'))).toEqual(['copy.sqlite']);
  await using copied = await openStore({ file: place.copy });
  expect(await copied.deliveries.find(keysOf(early)[0] ?? '')).toMatchObject({ state: 'pending' });
});

test('a restore that fails says why, even if its unfinished copy cannot be deleted', async () => {
  using place = installation();
  const store = await openUsed(place.state);
  await backUp({ environment: place.environment, file: place.copy });
  await store[Symbol.asyncDispose]();
  mkdirSync(`${place.state}.restoring-shm`);

  await expect(restore({ environment: place.environment, file: place.copy })).rejects.not.toMatchObject({ code: 'ERR_FS_EISDIR' });

  await using kept = await openStore({ file: place.state });
  expect(await kept.environments.stored()).toBe('real');
});

test.for(['', '/'])('a folder as the target of a backup is refused, with a file in it as the remedy: copies%s', async (end) => {
  using place = installation();
  await using _store = await openUsed(place.state);
  const folder = join(place.data, '..', 'copies') + end;
  if (end === '') mkdirSync(folder);

  await expect(backUp({ environment: place.environment, file: folder })).rejects.toMatchObject({
    message: 'the target is a folder, not a file',
    hint: `name a file in it, for example ${place.copy.replace('copy.sqlite', 'fanfare-backup.sqlite')}`,
  });
});

test('the remedy for the data folder as the target of a backup is a file that can be written', async () => {
  using place = installation();
  await using _store = await openUsed(place.state);
  const refused = await backUp({ environment: place.environment, file: place.data }).catch((error: unknown) => error);
  const [, file = ''] = refused instanceof ConfigError ? (/for example (.+)$/u.exec(refused.hint ?? '') ?? []) : [];

  await expect(backUp({ environment: place.environment, file })).resolves.toMatchObject({ file });
});

test('a state that nothing was stored in, for example in a wrong folder, does not replace a backup', async () => {
  using place = installation();
  using wrong = installation();
  await using store = await openStore({ file: place.state });
  await store.ruleStates.commit(committing([early]));
  await backUp({ environment: place.environment, file: place.copy });
  await (await openStore({ file: wrong.state }))[Symbol.asyncDispose]();

  await expect(backUp({ environment: wrong.environment, file: place.copy })).rejects.toMatchObject({
    message: 'there is nothing to back up: Fanfare has not run with this state',
    hint: expect.stringContaining('FANFARE_DATA') as unknown,
  });

  await using copied = await openStore({ file: place.copy });
  expect(await copied.deliveries.find(keysOf(early)[0] ?? '')).toMatchObject({ state: 'pending' });
});

test('a state that only commands used, for example in a wrong folder, does not replace a backup', async () => {
  using place = installation();
  using wrong = installation();
  await using store = await openStore({ file: place.state });
  await store.ruleStates.commit(committing([early]));
  await backUp({ environment: place.environment, file: place.copy });
  await withAccess(wrong.environment, (access) => access.createToken({ name: 'ci', scope: 'read' }, operator()));

  await expect(backUp({ environment: wrong.environment, file: place.copy })).rejects.toMatchObject({
    message: 'there is nothing to back up: Fanfare has not run with this state',
  });

  await using copied = await openStore({ file: place.copy });
  expect(await copied.deliveries.find(keysOf(early)[0] ?? '')).toMatchObject({ state: 'pending' });
});

test('an empty backup, of an earlier version, replaces no state', async () => {
  using place = installation();
  using wrong = installation();
  await (await openUsed(place.state))[Symbol.asyncDispose]();
  await (await openStore({ file: wrong.state }))[Symbol.asyncDispose]();
  mkdirSync(join(place.copy, '..'));
  await copyDatabase({ from: wrong.state, to: place.copy });
  const before = readdirSync(place.data);

  await expect(restore({ environment: place.environment, file: place.copy })).rejects.toMatchObject({
    message: 'the backup is empty: Fanfare had not run with its state',
    file: place.copy,
  });

  expect(readdirSync(place.data)).toEqual(before);
});

test('the metrics have the time of the last backup, and none that failed', async () => {
  using place = installation();
  const config = { dataDirectory: place.data };
  await (await openUsed(place.state))[Symbol.asyncDispose]();
  const beginMs = Date.now();

  expect(lastBackupMs(config)).toBe(0);
  await expect(backUp({ environment: place.environment, file: place.state })).rejects.toBeInstanceOf(ConfigError);
  expect(lastBackupMs(config)).toBe(0);
  await backUp({ environment: place.environment, file: place.copy });

  expect(lastBackupMs(config)).toBeGreaterThanOrEqual(beginMs);
});

test('a backup names the files that it does not contain', async () => {
  using place = installation();
  await (await openUsed(place.state))[Symbol.asyncDispose]();
  writeFileSync(join(place.data, 'key'), 'k'.repeat(40));
  const configuration = join(place.data, '..', 'fanfare.yaml');
  writeFileSync(configuration, '{}');

  const { apart, isKeyApart } = await backUp({ environment: place.environment, file: place.copy });

  expect(apart).toEqual([join(place.data, 'key'), configuration]);
  expect(isKeyApart).toBe(true);
});

test('a backup replaces an older backup and an empty file', async () => {
  using place = installation();
  await using store = await openUsed(place.state);
  mkdirSync(join(place.copy, '..'));
  writeFileSync(place.copy, '');

  await backUp({ environment: place.environment, file: place.copy });
  await store.ruleStates.commit(committing([early]));
  await backUp({ environment: place.environment, file: place.copy });

  await using copied = await openStore({ file: place.copy });
  expect(await copied.deliveries.find(keysOf(early)[0] ?? '')).toMatchObject({ state: 'pending' });
});

test('backups to the same file at the same time are each complete', async () => {
  using place = installation();
  await using store = await openUsed(place.state);
  await store.ruleStates.commit(committing([early]));
  const request = { environment: place.environment, file: place.copy };

  await Promise.all([backUp(request), backUp(request), backUp(request)]);

  expect(readdirSync(join(place.copy, '..'))).toEqual(['copy.sqlite']);
  await using copied = await openStore({ file: place.copy });
  expect(await copied.deliveries.find(keysOf(early)[0] ?? '')).toMatchObject({ state: 'pending' });
});

test('a backup deletes what a killed backup left, and not what a running one writes', async () => {
  using place = installation();
  await using _store = await openUsed(place.state);
  const nameOf = (pid: number, begunMs: number) => `copy.sqlite.${pid}-${begunMs}-0c6d5a4e-6f0b-4a38-9a26-5d1e9f0d3c11.partial`;
  const [left, written, ofEarlier, locked] = [
    // No system has a process with this number.
    nameOf(2 ** 31 - 1, 1),
    nameOf(process.pid, Math.round(performance.timeOrigin)),
    // In a new container, the process of a killed backup had the number that this one has now.
    nameOf(process.pid, 1),
    nameOf(2 ** 31 - 2, 1),
  ];
  const folder = join(place.copy, '..');
  mkdirSync(folder);
  for (const name of [left, written, ofEarlier, 'copy.sqlite.partial']) writeFileSync(join(folder, name), '');
  // It cannot be deleted, as the file of another user.
  mkdirSync(join(folder, nameOf(2 ** 31 - 3, 1)));
  using writing = new DatabaseSync(join(folder, locked));
  writing.exec('begin exclusive');

  await backUp({ environment: place.environment, file: place.copy });

  const names = readdirSync(folder);
  expect([left, written, ofEarlier, locked].map((name) => names.includes(name))).toEqual([false, true, false, true]);
  expect(names, 'of Fanfare 0.1').not.toContain('copy.sqlite.partial');
});

test('a backup replaces nothing but backups', async () => {
  using place = installation();
  using elsewhere = installation();
  for (const { state } of [place, elsewhere]) await (await openUsed(state))[Symbol.asyncDispose]();
  const root = join(place.data, '..');
  const foreign = new DatabaseSync(join(root, 'contacts.sqlite'));
  foreign.exec('create table contacts (name text)');
  foreign.close();
  const files = ['.env', 'fanfare.yaml', 'data/key', 'rules/live-card.yaml', 'short'];
  mkdirSync(join(root, 'rules'));
  for (const file of files) writeFileSync(join(root, file), file === 'short' ? 'x' : `# ${file} with a long content `.repeat(20));
  symlinkSync(join(root, '.env'), join(root, 'link-to-env'));
  linkSync(elsewhere.state, join(root, 'hard-link'));
  const targets = [...files, 'contacts.sqlite', 'link-to-env', 'hard-link'].map((file) => join(root, file));

  for (const file of [...targets, elsewhere.state]) {
    const before = readFileSync(file);
    await expect(backUp({ environment: place.environment, file }), file).rejects.toMatchObject({
      name: 'ConfigError',
      message: 'the backup would replace a file that is not a backup',
      file,
    });
    expect(readFileSync(file).equals(before), file).toBe(true);
  }
});

test.skipIf(process.platform === 'win32')('a backup does not replace a pipe or a device', async () => {
  using place = installation();
  await (await openUsed(place.state))[Symbol.asyncDispose]();
  const pipe = join(place.data, '..', 'pipe');
  execFileSync('mkfifo', [pipe]);

  await expect(backUp({ environment: place.environment, file: pipe })).rejects.toMatchObject({ name: 'ConfigError', file: pipe });

  expect(statSync(pipe).isFIFO()).toBe(true);
});

test('a backup is not written to the files of the state, not even through a link', async () => {
  using place = installation();
  await using _store = await openUsed(place.state);
  const link = join(place.data, '..', 'link');
  symlinkSync(place.data, link);
  const parts = ['', '-wal', '-shm', '-journal', '-sender', '-answerer'].map((part) => `${basename(place.state)}${part}`);

  for (const folder of [place.data, link])
    for (const file of parts.map((part) => join(folder, part)))
      await expect(backUp({ environment: place.environment, file }), file).rejects.toMatchObject({
        name: 'ConfigError',
        message: expect.stringMatching(/^(the backup would overwrite the state|this name is for files that belong to the state)$/u),
      });
  await expect(restore({ environment: place.environment, file: join(link, 'fanfare.sqlite') })).rejects.toThrow('this is the state');
  expect(readdirSync(place.data).filter((name) => name.includes('partial'))).toEqual([]);
});

test('a restore installs the copy, keeps the previous state, and notes the last instant of the copy', async () => {
  using place = installation();
  {
    await using store = await openStore({ file: place.state });
    await store.ruleStates.commit(committing([early]));
    await backUp({ environment: place.environment, file: place.copy });
    await store.ruleStates.commit(committing([late], { slotMs: SLOT_MS + 1 }));
  }

  const restored = await restore({ environment: place.environment, file: place.copy });

  await using store = await openStore({ file: place.state });
  expect(await store.deliveries.find(keysOf(early)[0] ?? '')).toMatchObject({ searchSince: restored.copiedAt });
  expect(await store.deliveries.find(keysOf(late)[0] ?? '')).toBeUndefined();
  await using before = await openStore({ file: restored.before ?? '' });
  expect(await before.deliveries.find(keysOf(late)[0] ?? '')).toBeDefined();
  expect(restored.lacksKey).toBe(false);
});

test('a restore keeps the higher spending of each month, so that an older copy does not raise the budget', async () => {
  using place = installation();
  const spend = async (account: string, month: string, microUsd: number) => {
    await using store = await openUsed(place.state);
    await store.spentSums.add({ account, month, microUsd });
  };
  await spend('x', '2026-10', 5);
  await spend('x', '2026-11', 1_000_000);
  await backUp({ environment: place.environment, file: place.copy });
  await spend('x', '2026-11', 18_000_000);
  await spend('x-news', '2026-11', 3);

  await restore({ environment: place.environment, file: place.copy });

  await using restored = await openStore({ file: place.state });
  const sums = await Promise.all([
    restored.spentSums.sum('x', '2026-10'),
    restored.spentSums.sum('x', '2026-11'),
    restored.spentSums.sum('x-news', '2026-11'),
  ]);
  expect(sums).toEqual([5, 19_000_000, 3]);
});

test('a restore over a damaged state keeps the spending of the copy', async () => {
  using place = installation();
  const store = await openUsed(place.state);
  await store.spentSums.add({ account: 'x', month: '2026-11', microUsd: 7 });
  await store[Symbol.asyncDispose]();
  await backUp({ environment: place.environment, file: place.copy });
  writeFileSync(place.state, 'no database');

  await restore({ environment: place.environment, file: place.copy });

  await using restored = await openStore({ file: place.state });
  expect(await restored.spentSums.sum('x', '2026-11')).toBe(7);
});

/** An installation with a backup, in which then a person and a token were added, and others were removed. */
async function accessChangedSince(place: Omit<ReturnType<typeof installation>, typeof Symbol.dispose>) {
  {
    await using store = await openUsed(place.state);
    await store.generation?.begin(silentLog);
  }
  const use = <T>(change: (access: Access) => Promise<T>) => withAccess(place.environment, change);
  const person = { role: 'admin', password: 'a long pass phrase' } as const;
  await use((access) => access.addPerson({ name: 'ada', ...person }, operator()));
  await use((access) => access.addPerson({ name: 'mallory', ...person }, operator()));
  const leaked = await use((access) => access.createToken({ name: 'leaked', scope: 'admin' }, operator()));
  await backUp({ environment: place.environment, file: place.copy });
  await use((access) => access.revokeToken({ token: leaked.token.id }, operator()));
  await use((access) => access.removePerson({ person: 'mallory' }, operator()));
  const later = await use((access) => access.createToken({ name: 'later', scope: 'read' }, operator()));
  return {
    /** The people, and the names of the tokens with these texts, that the state lets in. */
    letIn: () =>
      use(async (access) => ({
        people: (await access.people()).map(({ name }) => name),
        leaked: (await access.useToken(leaked.text))?.name,
        later: (await access.useToken(later.text))?.name,
      })),
  };
}

test('a restore lets no person and no token in that were removed since the backup', async () => {
  using place = installation();
  const { letIn } = await accessChangedSince(place);

  const { hasOldAccess } = await restore({ environment: place.environment, file: place.copy });

  expect(hasOldAccess).toBe(false);
  expect(await letIn()).toEqual({ people: ['ada'], leaked: undefined, later: 'later' });
});

test.each(['damaged', 'new'])('a restore over a %s state reports that people and tokens are those of the backup', async (kind) => {
  using place = installation();
  const { letIn } = await accessChangedSince(place);
  rmSync(place.state);
  if (kind === 'damaged') writeFileSync(place.state, 'no database');
  else await accessChangedSince({ ...place, copy: join(place.data, 'other') });

  const { hasOldAccess } = await restore({ environment: place.environment, file: place.copy });

  expect(hasOldAccess).toBe(true);
  expect(await letIn()).toEqual({ people: ['ada', 'mallory'], leaked: 'leaked', later: undefined });
});

test('a restore of a newer backup takes no access from a state that an older backup restored', async () => {
  using place = installation();
  const { letIn } = await accessChangedSince(place);
  {
    await using store = await openStore({ file: place.state });
    await store.generation?.write();
  }
  const newer = join(place.data, 'newer');
  await backUp({ environment: place.environment, file: newer });
  rmSync(place.state);
  await restore({ environment: place.environment, file: place.copy });

  const { hasOldAccess } = await restore({ environment: place.environment, file: newer });

  expect(hasOldAccess).toBe(true);
  expect(await letIn()).toEqual({ people: ['ada'], leaked: undefined, later: 'later' });

  // The state is newer than the older backup again.
  expect(await restore({ environment: place.environment, file: place.copy })).toMatchObject({ hasOldAccess: false });
  expect(await restore({ environment: place.environment, file: place.copy })).toMatchObject({ hasOldAccess: false });
  expect(await letIn()).toEqual({ people: ['ada'], leaked: undefined, later: 'later' });
});

test('nothing is restored while Fanfare runs', async () => {
  using place = installation();
  await using store = await openUsed(place.state);
  await backUp({ environment: place.environment, file: place.copy });
  using _sender = await store.deliveries.claim({ signal: new AbortController().signal });

  await expect(restore({ environment: place.environment, file: place.copy })).rejects.toMatchObject({
    name: 'ConfigError',
    message: 'Fanfare is running and uses this state',
    hint: 'stop Fanfare first',
  });
});

test('a copy that is damaged or of another program is refused, and the state is unchanged', async () => {
  using place = installation();
  await (await openUsed(place.state))[Symbol.asyncDispose]();
  const [foreign, damaged] = [join(place.data, 'foreign'), join(place.data, 'damaged')];
  const other = new DatabaseSync(foreign);
  other.exec('create table contacts (name text)');
  other.close();
  await backUp({ environment: place.environment, file: damaged });
  chmodSync(damaged, 0o600);
  writeFileSync(damaged, Buffer.alloc(statSync(damaged).size - 8_192, 0xa5), { flag: 'r+' });

  await expect(restore({ environment: place.environment, file: foreign })).rejects.toThrow('it is not a database of Fanfare');
  await expect(restore({ environment: place.environment, file: damaged })).rejects.toMatchObject({ name: 'ConfigError', file: damaged });
  expect(existsSync(place.state)).toBe(true);
  expect(readdirSync(place.data).filter((name) => name.includes('before') || name.includes('restoring'))).toEqual([]);
});

test('a folder is not accepted as a backup', async () => {
  using place = installation();

  await expect(restore({ environment: place.environment, file: import.meta.dirname })).rejects.toThrow('this is not a file');
});

test('an empty file is not accepted as a backup', async () => {
  using place = installation();
  await (await openUsed(place.state))[Symbol.asyncDispose]();
  const empty = join(place.data, 'empty');
  writeFileSync(empty, '');

  await expect(restore({ environment: place.environment, file: empty })).rejects.toMatchObject({
    name: 'ConfigError',
    message: 'the backup cannot be opened: it is not a database of Fanfare',
    file: empty,
  });
  expect(existsSync(place.state)).toBe(true);
});

test('a backup of a newer version is refused and leaves no files', async () => {
  using place = installation();
  await (await openUsed(place.state))[Symbol.asyncDispose]();
  await backUp({ environment: place.environment, file: place.copy });
  {
    using newer = new DatabaseSync(place.copy);
    newer.exec('pragma user_version = 99');
  }

  await expect(restore({ environment: place.environment, file: place.copy })).rejects.toThrow('newer Fanfare');
  expect(readdirSync(place.data).filter((name) => name.includes('restoring'))).toEqual([]);
});

test('a backup to a place that cannot be written names the place', async () => {
  using place = installation();
  await (await openUsed(place.state))[Symbol.asyncDispose]();
  const blocked = join(place.data, '..', 'blocked');
  writeFileSync(blocked, '');

  await expect(backUp({ environment: place.environment, file: place.data })).rejects.toMatchObject({
    name: 'ConfigError',
    file: place.data,
  });
  await expect(backUp({ environment: place.environment, file: join(blocked, 'copy') })).rejects.toMatchObject({
    name: 'ConfigError',
    message: 'the folder of the backup cannot be created',
  });
});

test('a restore reports a key that is missing, wrong or too short, if the backup has tokens', async () => {
  using place = installation();
  const written = 'the key of the machine before';
  const key = await openKey({ written, file: '' });
  {
    await using store = await openUsed(place.state);
    await store.sealedRows.save('x', seal('{}', { key, name: 'x' }));
    await backUp({ environment: place.environment, file: place.copy });
  }
  const lacksKeyWith = async (keys: Readonly<Record<string, string>>): Promise<boolean> =>
    (await restore({ environment: { ...place.environment, ...keys }, file: place.copy })).lacksKey;

  expect(await lacksKeyWith({})).toBe(true);
  expect(await lacksKeyWith({ FANFARE_KEY: 'the key of another machine' })).toBe(true);
  expect(await lacksKeyWith({ FANFARE_KEY: 'short' })).toBe(true);
  expect(await lacksKeyWith({ FANFARE_KEY: written })).toBe(false);
  expect(readdirSync(place.data)).not.toContain('key');
});
