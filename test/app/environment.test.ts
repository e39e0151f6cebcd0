import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabaseHealth } from '#src/admin/queries/database-health.ts';
import { examineDatabase } from '#src/app/examine-database.ts';
import { openRunningState } from '#src/app/running-state.ts';
import { systemClock } from '#src/clock.ts';
import { openConfig } from '#src/config/open-config.ts';
import { createLog } from '#src/log.ts';
import { committing, creating, firing } from '../support/firings.ts';
import { createDatabase } from '../support/postgres-database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ACCOUNTS = { DISCORD_TOKEN: 'token', DISCORD_GUILD_ID: '1202584131993600001' };

/** Starts that use the same folder. */
function installation(database: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder({ inMemory: true });
  onTestFinished(() => folder[Symbol.dispose]());
  const lines: string[] = [];
  const log = createLog({ level: 'info', secrets: [], write: (line) => lines.push(line), color: false });
  const health = createDatabaseHealth({ onChange: () => undefined, clock: systemClock, log });
  const configWith = (accounts: Readonly<Record<string, string>>) => openConfig({ FANFARE_DATA: folder.path, ...database, ...accounts });
  return {
    lines,
    file: join(folder.path, 'fanfare.sqlite'),
    examine: async (accounts = {}) => {
      const { store, database: examined } = await examineDatabase(configWith(accounts));
      await store[Symbol.asyncDispose]();
      return examined;
    },
    start: (accounts = {}) =>
      openRunningState({
        config: configWith(accounts),
        worker: 'one',
        role: 'all',
        database: health,
        log,
      }),
  };
}

test('the first start with a real account deletes the data of the sandbox, and logs it', async () => {
  const { start, lines } = installation();
  const fired = firing([creating(['x'])]);
  {
    await using state = await start();
    await state.store.ruleStates.commit(committing([fired]));
  }
  expect(lines).toEqual([]);

  await using state = await start(ACCOUNTS);

  expect(await state.store.deliveries.ofFirings([fired.id])).toEqual([]);
  expect(lines).toEqual([expect.stringContaining('real accounts replace the sandbox')]);
});

test('the sandbox does not start on the state of real accounts', async () => {
  const { start } = installation();
  await (await start(ACCOUNTS))[Symbol.asyncDispose]();

  await expect(start()).rejects.toMatchObject({ name: 'ConfigError', hint: expect.stringContaining('.env') as unknown });
  // The refused start leaves nothing open.
  await (await start(ACCOUNTS))[Symbol.asyncDispose]();
});

test('the doctor names the reason of a refused start', async () => {
  const { start, examine } = installation();
  await (await start(ACCOUNTS))[Symbol.asyncDispose]();

  expect(await examine()).toMatchObject({
    about: 'state',
    state: 'bad',
    what: expect.stringContaining('the state belongs to real accounts') as unknown,
    remedy: expect.stringContaining('.env') as unknown,
  });
  expect(await examine(ACCOUNTS)).toBeUndefined();
});

test('the doctor names a state that was not moved to the database', async () => {
  const postgres = await createDatabase();
  onTestFinished(() => postgres[Symbol.asyncDispose]());
  const { examine, file } = installation({ DATABASE_URL: postgres.url });
  writeFileSync(file, 'a state');

  expect(await examine(ACCOUNTS)).toMatchObject({
    state: 'bad',
    what: expect.stringContaining('its database has no state, but this file is a state') as unknown,
    remedy: expect.stringContaining('fanfare migrate') as unknown,
  });
});

test('a refused start leaves no connection to PostgreSQL', async () => {
  const postgres = await createDatabase();
  onTestFinished(() => postgres[Symbol.asyncDispose]());
  const { start } = installation({ DATABASE_URL: postgres.url });
  await (await start(ACCOUNTS))[Symbol.asyncDispose]();

  await expect(start()).rejects.toMatchObject({ name: 'ConfigError', file: 'DATABASE_URL' });

  await using client = Object.assign(new pg.Client(postgres.url), { [Symbol.asyncDispose]: () => client.end() });
  await client.connect();
  // A server ends a connection some time after its client.
  await expect
    .poll(async () => (await client.query('select pid from pg_stat_activity where datname = current_database()')).rows)
    .toHaveLength(1);
});
