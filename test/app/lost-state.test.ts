import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backUp } from '#src/app/backup.ts';
import { migrateState } from '#src/app/migrate-state.ts';
import { isStateReadable, openState, withStoredState } from '#src/app/stored-state.ts';
import { openConfig } from '#src/config/open-config.ts';
import { warnOfLoss } from '#src/config/data-directory.ts';
import { createLog } from '#src/log.ts';
import { committing } from '../support/firings.ts';
import { createDatabase } from '../support/postgres-database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('an empty state beside a key causes a warning, and one without a key does not', () => {
  using folder = temporaryFolder({ inMemory: true });
  const config = { dataDirectory: folder.path };
  const lines: string[] = [];
  const log = createLog({ level: 'warn', secrets: [], write: (line) => lines.push(line), color: false });

  warnOfLoss(config, log);
  expect(lines).toEqual([]);
  writeFileSync(join(folder.path, 'key'), 'a key');
  warnOfLoss(config, log);

  expect(lines.join('')).toContain('the state is empty, although the data folder has the key of an earlier installation');
  expect(lines.join('')).toContain('npx fanfare restore');
});

const AT = '2026-11-21T16-49-57-656Z';

test.for([
  [[`fanfare.sqlite.moved-${AT}`, `fanfare.sqlite.moved-${AT}-wal`], `fanfare.sqlite.moved-${AT}`, 'set DATABASE_URL'],
  [['fanfare.sqlite.unconfirmed'], 'fanfare.sqlite.unconfirmed', 'set DATABASE_URL'],
  [['fanfare.sqlite.restoring'], 'fanfare.sqlite.restoring', 'run npx fanfare restore'],
  [
    ['fanfare.sqlite.before-2025-01-01T00-00-00-000Z', `fanfare.sqlite.before-${AT}`],
    `fanfare.sqlite.before-${AT}`,
    'rename the file back',
  ],
] as const)('a missing state beside %j is refused, instead of beginning an empty one', async ([names, named, remedy]) => {
  using folder = temporaryFolder({ inMemory: true });
  for (const name of names) writeFileSync(join(folder.path, name), '');
  const config = openConfig({ FANFARE_DATA: folder.path });
  const refusal = {
    name: 'ConfigError',
    message: `the state is missing, but ${named} exists`,
    hint: expect.stringContaining(remedy) as unknown,
  };

  await expect(openState(config)).rejects.toMatchObject(refusal);
  await expect(withStoredState(config, async () => undefined)).rejects.toMatchObject(refusal);

  expect(existsSync(join(folder.path, 'fanfare.sqlite'))).toBe(false);
});

test('an incomplete copy, or an earlier state beside the state, changes nothing', async () => {
  using folder = temporaryFolder({ inMemory: true });
  const config = openConfig({ FANFARE_DATA: folder.path });
  writeFileSync(join(folder.path, 'fanfare.sqlite.restoring.partial'), '');
  await (await openState(config))[Symbol.asyncDispose]();
  writeFileSync(join(folder.path, `fanfare.sqlite.before-${AT}`), '');

  expect(await withStoredState(config, ({ deliveryLog }) => deliveryLog.counts())).toEqual([]);
});

test('a data folder that is a file is reported as such', async () => {
  using folder = temporaryFolder({ inMemory: true });
  const data = join(folder.path, 'data');
  writeFileSync(data, '');
  const config = openConfig({ FANFARE_DATA: data });

  await expect(openState(config)).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringContaining('cannot be stored') as unknown,
  });
  expect(await withStoredState(config, async () => undefined)).toBeUndefined();
});

test('a data folder that cannot be read is not an empty state', async () => {
  using folder = temporaryFolder({ inMemory: true });
  const data = join(folder.path, 'data');
  symlinkSync(data, data);
  const environment = { FANFARE_DATA: data };
  const config = openConfig(environment);
  const refusal = { name: 'ConfigError', message: 'the data folder cannot be read', hint: expect.stringContaining('ELOOP') as unknown };
  const uses: readonly (() => Promise<unknown>)[] = [
    () => openState(config),
    () => withStoredState(config, async () => undefined),
    () => isStateReadable(config),
    () => backUp({ environment, file: join(folder.path, 'backup.sqlite') }),
    () => migrateState({ environment, to: 'postgres://127.0.0.1:1/fanfare' }),
  ];

  for (const use of uses) await expect(use()).rejects.toMatchObject(refusal);
});

test('a new database beside the state of an earlier installation is refused', async () => {
  await using postgres = await createDatabase();
  using folder = temporaryFolder({ inMemory: true });
  await (await openState(openConfig({ FANFARE_DATA: folder.path })))[Symbol.asyncDispose]();
  const config = openConfig({ FANFARE_DATA: folder.path, DATABASE_URL: postgres.url });

  await expect(openState(config)).rejects.toMatchObject({
    name: 'ConfigError',
    file: join(folder.path, 'fanfare.sqlite'),
    hint: expect.stringContaining('npx fanfare migrate') as unknown,
  });

  rmSync(join(folder.path, 'fanfare.sqlite'));
  await using store = await openState(config);
  await store.ruleStates.commit(committing([]));
  writeFileSync(join(folder.path, 'fanfare.sqlite'), '');
  await using again = await openState(config);
  expect((await again.ruleStates.lastSlots()).size).toBe(1);
});
