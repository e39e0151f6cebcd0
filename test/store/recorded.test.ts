import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { restore } from '#src/app/restore.ts';
import { migrateState } from '#src/app/migrate-state.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import type { Render } from '#src/engine/delivery/rendering.ts';
import { renderStep } from '#src/rules/render.ts';
import { withMessage } from '#src/rules/messages/format-reason.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import { migrate as migratePostgres } from '#src/store/postgres/migrate.ts';
import { openPostgresStore } from '#src/store/postgres/open.ts';
import { createPool } from '#src/store/postgres/pool.ts';
import { SCHEMA as POSTGRES_SCHEMA } from '#src/store/postgres/schema.ts';
import { newestVersion } from '#src/store/schema/versions.ts';
import { migrate, versionOf } from '#src/store/sqlite/migrate.ts';
import { openDatabase } from '#src/store/sqlite/open.ts';
import { SCHEMA } from '#src/store/sqlite/schema.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { runEngine } from '../engine/delivery/running-engine.ts';
import { SLOT_MS } from '../support/firings.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import { createDatabase } from '../support/postgres-database.ts';
import { postgresSchema, sqliteSchema } from '../support/stored-schema.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { liveRule } from './recorded/live-rule.ts';

const postgres = await createDatabase();
afterAll(() => postgres[Symbol.asyncDispose]());

const recorded = (name: string): string => readFileSync(join(import.meta.dirname, 'recorded', name), 'utf8');

/** A file with the recorded state, as `change` leaves it. */
function recordedFile({ change = '', name = 'live.sqlite.sql' } = {}): string {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const file = join(folder.path, 'fanfare.sqlite');
  using database = new DatabaseSync(file);
  database.exec(recorded(name) + change);
  return file;
}

/** A schema with the recorded state, as `change` leaves it, and a connection to it. */
async function recordedSchema(change = ''): Promise<{ readonly schema: string; readonly client: pg.Client }> {
  const schema = postgres.newSchema();
  const client = await connect(schema);
  await client.query(`create schema ${schema}`);
  await client.query(recorded('live.postgres.sql') + change);
  return { schema, client };
}

async function connect(schema: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: postgres.url, options: `-c search_path=${schema},pg_catalog` });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

const render: Render = ({ delivery: { section, account }, ...due }, results) =>
  renderStep({ ...due, section, account, results, textLimit: undefined, catalogue });

describe.for([
  ['SQLite', async (clock: ManualClock) => openStore({ file: recordedFile(), clock })],
  ['PostgreSQL', async (clock: ManualClock) => openPostgresStore({ url: postgres.url, schema: (await recordedSchema()).schema, clock })],
] as const satisfies (readonly [string, (clock: ManualClock) => Promise<Store>])[])('a state of version 0.1.0 in %s', ([, store]) => {
  test('a rule continues with its open episodes', async () => {
    await using running = await runEngine({ store, runs: false });
    const { ruleStates, deliveries } = running.store;

    const state = await ruleStates.load('live');
    expect([...state.episodes.values()].map(({ key, phase }) => [key, phase])).toEqual([
      ['ada', 'open'],
      ['grace', 'open'],
    ]);

    const firings = [];
    for (const slotMs of [SLOT_MS + 60_000, SLOT_MS + 420_000]) {
      const commit = advance({ rule: liveRule(), state: await ruleStates.load('live'), poll: { items: [], complete: true }, slotMs });
      await ruleStates.commit({ ...commit, rule: 'live', slotMs });
      firings.push(...commit.firings);
    }
    expect(firings.map(({ section, episode }) => [section, episode.split('@')[0]])).toEqual([
      ['finally', 'ada'],
      ['finally', 'grace'],
    ]);
    expect((await deliveries.accounts()).toSorted()).toEqual(['discord', 'mastodon', 'x']);
  });

  test('its deliveries are sent, each after its dependencies', async () => {
    await using running = await runEngine({ store, render, runs: false });
    while (await running.engine.deliverNext());

    expect(running.platform.records.map(({ account, params }) => [account, params['text'] ?? params['content']])).toEqual([
      ['mastodon', 'ada is live'],
      ['discord', 'ada plays'],
      ['x', 'grace is live'],
      ['discord', 'grace plays'],
    ]);
    expect((await running.states()).map(([, state]) => state)).toEqual(['sent', 'sent', 'sent', 'sent', 'failed', 'sent']);
  });

  test('its reasons have the current texts', async () => {
    await using running = await runEngine({ store, runs: false });
    const { items } = await running.store.decisions.list();

    // Polls without changes had another text in earlier versions.
    const same = items.filter(({ reason }) => reason?.kind !== 'unchanged');
    expect(same.length).toBeGreaterThan(1);
    expect(same.map(({ reason }) => reason && withMessage(reason).message)).toEqual(same.map(({ message }) => message));
    expect(items.filter(({ reason }) => !reason || withMessage(reason).message === '')).toEqual([]);
  });
});

/** A migration of a later version. */
const NEXT = "alter table delivery add column next_text text not null default 'next'; create table next (id integer primary key);";

describe('SQLite', () => {
  test('each kind of reason has a text', async () => {
    await using store = await openStore({ file: recordedFile({ name: '0.1.0.sqlite.sql' }) });
    const { items } = await store.decisions.list({ rule: 'kinds', limit: 1_000 });

    expect(items.length).toBeGreaterThan(50);
    expect(items.filter(({ reason }) => !reason || withMessage(reason).message.trim() === '')).toEqual([]);
  });

  test('a migration notes which deliveries are settled', () => {
    using database = openDatabase(recordedFile());
    const rows = database.prepare('select distinct state, settled from delivery order by state').all();

    expect(rows.map(({ state, settled }) => [state, settled])).toEqual([
      ['failed', 1],
      ['pending', null],
      ['sending', null],
      ['sent', 1],
    ]);
  });

  test('an open delivery cannot be noted as settled', () => {
    using database = openDatabase(recordedFile());

    expect(() => database.exec("update delivery set state = 'pending' where state = 'failed'")).toThrow('CHECK constraint failed');
  });

  test('the base schema equals the recorded one, and its migrations create the schema of a new database', () => {
    const file = recordedFile();
    using recordedDatabase = new DatabaseSync(file, { readOnly: true });
    const before = sqliteSchema(recordedDatabase);
    using base = new DatabaseSync(':memory:');
    migrate(base, { file: 'x', schema: { ...SCHEMA, migrations: [] } });

    using fresh = openDatabase(':memory:');
    using opened = openDatabase(file);

    expect(sqliteSchema(base)).toEqual(before);
    expect(sqliteSchema(opened)).toEqual(sqliteSchema(fresh));
  });

  test('a migration of a stored state is announced once, before it begins', async () => {
    const file = recordedFile();
    const migrations: object[] = [];
    const open = async (of: string) => {
      await using _store = await openStore({ file: of, onMigrate: (versions) => migrations.push(versions) });
    };
    await open(file);
    await open(file);
    await open(join(dirname(file), 'new.sqlite'));

    expect(migrations).toEqual([{ from: 12, to: newestVersion(SCHEMA) }]);
  });

  test('a later migration keeps the deliveries', () => {
    using database = new DatabaseSync(recordedFile());
    const deliveries = () => database.prepare('select id, state, message, reason from delivery order by seq').all();
    const before = deliveries();

    migrate(database, { file: 'x', schema: { ...SCHEMA, migrations: [...SCHEMA.migrations, { sql: NEXT }] } });

    expect(deliveries()).toEqual(before);
    expect(versionOf(database)).toBe(newestVersion(SCHEMA) + 1);
    expect(database.prepare('select distinct next_text from delivery').all()).toEqual([{ next_text: 'next' }]);
  });

  test('an older state, backup or source of a move is refused and not changed', async () => {
    const file = recordedFile({ change: 'pragma user_version = 11;' });
    const before = readFileSync(file);
    const FANFARE_DATA = dirname(file);
    const refusal = /before version 0\.1\.0 .*\(version 11 of the database; this Fanfare reads 12 and later\)/u;

    await expect(openStore({ file })).rejects.toThrow(refusal);
    await expect(migrateState({ environment: { FANFARE_DATA }, to: postgres.url, schema: postgres.newSchema() })).rejects.toThrow(refusal);
    await expect(restore({ environment: { FANFARE_DATA: join(FANFARE_DATA, 'other') }, file })).rejects.toThrow(refusal);
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

describe('PostgreSQL', () => {
  /** Migrates the schema to these versions. */
  async function migrateTo(schema: string, versions = POSTGRES_SCHEMA) {
    const pool = await createPool({ url: postgres.url, schema, applicationName: 'test', maxConnections: 1 });
    onTestFinished(() => pool.end());
    return migratePostgres(pool, { schema, versions });
  }

  test('the base schema equals the recorded one, and its migrations create the schema of a new database', async () => {
    const { schema, client } = await recordedSchema();
    const before = await postgresSchema(client, schema);
    const [base, fresh] = [postgres.newSchema(), postgres.newSchema()];

    await migrateTo(base, { ...POSTGRES_SCHEMA, migrations: [] });
    await migrateTo(fresh);
    await migrateTo(schema);

    expect(await postgresSchema(await connect(base), base)).toEqual(before);
    expect(await postgresSchema(client, schema)).toEqual(await postgresSchema(await connect(fresh), fresh));
  });

  test('a migration of a stored state is announced once, before it begins', async () => {
    const { schema } = await recordedSchema();
    const migrations: object[] = [];
    const open = async (of: string) => {
      await using _store = await openPostgresStore({ url: postgres.url, schema: of, onMigrate: (versions) => migrations.push(versions) });
    };
    await open(schema);
    await open(schema);
    await open(postgres.newSchema());

    expect(migrations).toEqual([{ from: 2, to: newestVersion(POSTGRES_SCHEMA) }]);
  });

  test('a later migration keeps the deliveries', async () => {
    const { schema, client } = await recordedSchema();
    const deliveries = async () => (await client.query<object>('select id, state, message, reason from delivery order by seq')).rows;
    const before = await deliveries();
    const migrations = [...POSTGRES_SCHEMA.migrations, { sql: NEXT, worksWith: 2 }];

    expect(await migrateTo(schema, { ...POSTGRES_SCHEMA, migrations })).toMatchObject({ version: newestVersion(POSTGRES_SCHEMA) + 1 });

    expect(await deliveries()).toEqual(before);
    expect((await client.query<object>('select distinct next_text from delivery')).rows).toEqual([{ next_text: 'next' }]);
  });

  test('an older state is refused and not changed', async () => {
    const { schema, client } = await recordedSchema('delete from schema_version where version > 1;');
    const before = await postgresSchema(client, schema);

    await expect(openPostgresStore({ url: postgres.url, schema })).rejects.toThrow(/before version 0\.1\.0 .*\(version 1 of the database/u);
    expect(await postgresSchema(client, schema)).toEqual(before);
  });
});
