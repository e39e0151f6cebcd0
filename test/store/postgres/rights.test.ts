import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { examineDatabase } from '#src/app/examine-database.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { silentLog } from '#src/log.ts';
import { openCluster, type Cluster } from '#src/store/postgres/cluster.ts';
import { committing, creating, firing } from '../../support/firings.ts';
import { startPostgres } from '../../support/postgres.ts';

const postgres = await startPostgres();
const admin = new pg.Client(postgres.url);
const url = postgres.url.replace(/\/\/postgres:[^@]*@/, '//app:secret@');

const open = (as: string): Promise<Cluster> => openCluster({ url: as, worker: 'one', role: 'all', log: silentLog });

beforeAll(async () => {
  admin.on('error', () => undefined);
  await admin.connect();
  await admin.query("create role app login password 'secret'");
  await (await open(postgres.url))[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await admin.query(`
    grant connect on database postgres to public;
    grant usage on schema fanfare, fanfare_jobs to app;
    grant select, insert, update, delete on all tables in schema fanfare, fanfare_jobs to app;
    alter role app reset all`);
});

afterAll(async () => {
  await admin.end();
  await postgres[Symbol.asyncDispose]();
});

test('a user with rights on the data only runs Fanfare once the schema exists', async () => {
  await using cluster = await open(url);
  const { store, clock } = cluster;
  const post = firing([creating(['x'])], { atMs: clock.nowMs() });

  expect(await store.ruleStates.commit(committing([post], { slotMs: clock.nowMs() }))).toBe(true);
  const { rows } = await sql<{ readonly user: string }>`select current_user as user`.execute(store.db);
  expect(rows).toEqual([{ user: 'app' }]);
});

describe('a user without a right is refused with the right, and fanfare doctor reports it', () => {
  test.for([
    ['revoke connect on database postgres from public', 'the user may not connect to it', 'grant connect on database'],
    ['revoke usage on schema fanfare from app', 'lacks rights: usage on schema fanfare', 'grant usage on schema "fanfare"'],
    ['revoke usage on schema fanfare_jobs from app', 'lacks rights: usage on schema fanfare_jobs', '"fanfare_jobs" to "app"'],
    ['revoke insert on fanfare.delivery from app', 'lacks rights: insert on fanfare.delivery', 'grant select, insert, update, delete'],
    ['revoke delete on fanfare_jobs.job from app', 'lacks rights: delete on fanfare_jobs.job', 'on all tables in schema'],
    ['revoke select on fanfare.schema_version from app', 'lacks rights: select on fanfare.schema_version', 'on all tables in schema'],
    ['revoke all on all tables in schema fanfare from app', /lacks rights: .*, .*, .*, .* and \d+ more/u, 'on all tables in schema'],
    ['alter role app set default_transaction_read_only = on', 'it only reads', 'connect to the primary server'],
  ] as const)('%s', async ([change, message, hint]) => {
    await admin.query(change);

    const error = await open(url).catch((reason: unknown) => reason);
    const { store, database } = await examineDatabase(configOfEnvironment({ DATABASE_URL: url }));
    await store[Symbol.asyncDispose]();

    expect(error).toMatchObject({
      name: 'ConfigError',
      message: expect.stringMatching(message) as unknown,
      hint: expect.stringContaining(hint) as unknown,
    });
    expect(database).toMatchObject({ state: 'bad', remedy: expect.stringContaining(hint) as unknown });
  });
});

test('a user who may not create schemas cannot start on an empty database', async () => {
  const opening = openCluster({ url, schema: postgres.newSchema(), worker: 'one', role: 'all', log: silentLog });

  await expect(opening).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringContaining('the user may not create tables') as unknown,
    hint: expect.stringContaining('grant create on database') as unknown,
  });
});

test('a standby is refused with a remedy, and fanfare doctor reports it', async () => {
  await postgres.becomeStandby();

  const error = await open(postgres.url).catch((reason: unknown) => reason);
  const { store, database } = await examineDatabase(configOfEnvironment({ DATABASE_URL: postgres.url }));
  await store[Symbol.asyncDispose]();

  expect(error).toMatchObject({
    name: 'ConfigError',
    message: `the database 127.0.0.1:${postgres.port}/postgres cannot be opened: it only reads`,
  });
  expect(database).toMatchObject({ state: 'bad', remedy: expect.stringContaining('not to a standby') as unknown });
});
