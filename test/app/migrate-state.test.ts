import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, expect, test, vi } from 'vitest';
import { migrateState } from '#src/app/migrate-state.ts';
import { silentLog } from '#src/log.ts';
import { connectAlone } from '#src/store/postgres/connect-alone.ts';
import { openPostgresStore } from '#src/store/postgres/open.ts';
import { copyDatabase } from '#src/store/sqlite/copy.ts';
import { openStore } from '#src/store/store.ts';
import { sqliteSide } from '#src/store/transfer/sqlite-side.ts';
import { STORED_TABLES } from '#src/store/transfer/state-tables.ts';
import { committing, SLOT_MS } from '../support/firings.ts';
import { fillState } from '../support/full-state.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createDatabase } from '../support/postgres-database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const postgres = await createDatabase();
afterAll(() => postgres[Symbol.asyncDispose]());

/** A folder with a state in all tables, and an empty schema. */
async function installation() {
  const folder = temporaryFolder({ inMemory: true });
  const file = join(folder.path, 'fanfare.sqlite');
  const schema = postgres.newSchema();
  {
    await using store = await openStore({ file, clock: new ManualClock(SLOT_MS) });
    await fillState(store);
  }
  return {
    folder: folder.path,
    file,
    schema,
    there: { environment: { FANFARE_DATA: folder.path }, to: postgres.url, schema },
    back: (to: string) => ({ environment: { FANFARE_DATA: folder.path, DATABASE_URL: postgres.url }, to, schema }),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

/** All rows of a file, by table. */
async function rowsOf(file: string): Promise<Readonly<Record<string, unknown>>> {
  using database = new DatabaseSync(file, { readOnly: true });
  const tables = STORED_TABLES.map(async (table) => [table.name, (await Array.fromAsync(sqliteSide(database).read(table))).flat()]);
  const counters = ['sent_count', 'decision_count'].map((name) => [name, database.prepare(`select * from ${name} order by 1`).all()]);
  return Object.fromEntries([...(await Promise.all(tables)), ...counters]) as Record<string, unknown>; // pairs of a name and rows
}

test('a transfer contains every table of the state', async () => {
  using place = await installation();
  using database = new DatabaseSync(place.file);

  const tables = database.prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'").all();

  // Each database has its own, and most are filled by triggers.
  const counters = [
    'sent_count',
    'decision_count',
    'unindexed_delivery',
    'item_name',
    'unindexed_episode',
    'indexed_decision',
    'generation',
  ];
  const names = tables.map(({ name }) => String(name)).filter((name) => !name.startsWith('delivery_words'));
  expect(names.toSorted()).toEqual([...STORED_TABLES.map((table) => table.name), ...counters].toSorted());
});

test('a state in all tables moves to PostgreSQL and back, and is equal afterwards', async () => {
  using place = await installation();
  const before = await rowsOf(place.file);
  expect(Object.entries(before).filter(([, rows]) => Array.isArray(rows) && rows.length === 0)).toEqual([]);

  const there = await migrateState(place.there);
  const isGone = !existsSync(place.file);
  const back = await migrateState(place.back(place.folder));

  expect(isGone).toBe(true);
  expect(there.tables.every(({ rows }) => rows > 0)).toBe(true);
  expect(there).toMatchObject({ direction: 'toPostgres', to: postgres.address, hasTokens: true });
  expect(await rowsOf(place.file)).toEqual(before);
  expect(back.tables).toEqual(there.tables);
  expect([there.opens, back.opens]).toEqual([undefined, undefined]);
});

test('a move back saves the pictures of scheduled posts that other machines stored', async () => {
  using place = await installation();
  await migrateState(place.there);
  {
    await using store = await openPostgresStore({ url: postgres.url, schema: place.schema });
    await store.pictures.put('poster.png', Buffer.from('of another machine'));
    await store.pictures.put('mine.png', Buffer.from('of another machine'));
  }
  mkdirSync(join(place.folder, 'pictures'));
  writeFileSync(join(place.folder, 'pictures/mine.png'), 'mine');

  const { pictures } = await migrateState(place.back(place.folder));

  expect(pictures).toBe(join(place.folder, 'pictures'));
  expect(readdirSync(join(place.folder, 'pictures')).toSorted()).toEqual(['mine.png', 'poster.png']);
  expect(readFileSync(join(place.folder, 'pictures/poster.png'), 'utf8')).toBe('of another machine');
  expect(readFileSync(join(place.folder, 'pictures/mine.png'), 'utf8')).toBe('mine');
});

test.for([
  ['new', 'new/fanfare.sqlite'],
  ['new/state.sqlite', 'new/state.sqlite'],
  ['folder.sqlite', 'folder.sqlite/fanfare.sqlite'],
  ['empty', 'empty'],
] as const)('a state that moves to %s is in the file %s', async ([to, expected]) => {
  using place = await installation();
  await migrateState(place.there);
  mkdirSync(join(place.folder, 'folder.sqlite'));
  writeFileSync(join(place.folder, 'empty'), '');

  const moved = await migrateState(place.back(join(place.folder, to)));

  expect(moved).toMatchObject({ direction: 'toSqlite', to: join(place.folder, expected), opens: place.file });
  expect(statSync(join(place.folder, expected)).size).toBeGreaterThan(0);
});

test('a moved state continues: new rows follow the old ones, and counters are right', async () => {
  using place = await installation();
  await migrateState(place.there);

  await using store = await openPostgresStore({ url: postgres.url, schema: place.schema, clock: new ManualClock(SLOT_MS) });
  const committed = await store.ruleStates.commit(
    committing([], { slotMs: SLOT_MS + 1, decisions: [{ rule: 'live', atMs: SLOT_MS, outcome: 'fired', message: 'again' }] }),
  );

  expect(committed).toBe(true);
  expect((await store.decisions.list({ rule: 'live' })).items.map(({ message }) => message)).toEqual(['again', 'ada went live']);
  expect(await store.deliveryLog.counts()).toContainEqual({ state: 'sent', count: 1 });
  expect((await store.deliveryLog.list({ text: 'ada live', item: 'twitch/1' })).items).toHaveLength(1);
  expect(await store.decisions.counts(['live'])).toEqual([{ rule: 'live', outcome: 'fired', count: 2 }]);
});

let runs = 0;

/** Runs Fanfare on a state for a moment, which raises its generation. Resolves with the number of restores that no start knew. */
async function run(file: string): Promise<number> {
  // Each start has another time, by which it finds its restore.
  await using store = await openStore({ file, clock: new ManualClock(SLOT_MS + ++runs) });
  await store.generation?.begin(silentLog);
  return (await store.restores.begin()) ? 1 : 0;
}

/** The restores that the next start on PostgreSQL begins. */
async function restoresIn(schema: string): Promise<number> {
  await using store = await openPostgresStore({ url: postgres.url, schema });
  return (await store.restores.begin()) ? 1 : 0;
}

test.for<readonly [what: string, restores: number, change: (file: string, copy: string) => unknown]>([
  ['not put back', 0, () => undefined],
  ['an older copy of the file', 1, (file, copy) => cpSync(copy, file)],
  ['a backup', 1, (file) => backUpTo(file)],
])('a state that is %s moves with %i noted restores', async ([, restores, change]) => {
  using place = await installation();
  const copy = join(place.folder, 'copy');
  await run(place.file);
  cpSync(place.file, copy);
  await run(place.file);

  await change(place.file, copy);
  await migrateState(place.there);

  expect(await restoresIn(place.schema)).toBe(restores);
});

/** Replaces a state by its backup. */
async function backUpTo(file: string): Promise<void> {
  const backup = `${file}.backup`;
  await copyDatabase({ from: file, to: backup });
  renameSync(backup, file);
}

test('a state that moves to PostgreSQL and back is no copy', async () => {
  using place = await installation();
  await run(place.file);
  await migrateState(place.there);
  await migrateState(place.back(place.folder));

  expect(await run(place.file)).toBe(0);
});

test.for([
  ['', false],
  [', also after a move there that failed', true],
] as const)(
  'a process that still uses the database of a moved state is refused%s, and the state can move there again',
  async ([, hasFailed]) => {
    using place = await installation();
    const start = () => openPostgresStore({ url: postgres.url, schema: place.schema });
    await migrateState(place.there);
    const { before } = await migrateState(place.back(place.folder));
    // A failed move leaves an empty schema.
    if (hasFailed) await (await openPostgresStore({ url: postgres.url, schema: place.schema, replacesMoved: true }))[Symbol.asyncDispose]();

    await expect(start()).rejects.toMatchObject({
      name: 'ConfigError',
      message: `the state was moved from this database to a file, and its schema is now named ${before}`,
      file: 'DATABASE_URL',
      hint: `unset DATABASE_URL, and run Fanfare only where the file is. To begin without a state, drop the schema ${before}`,
    });
    await migrateState(place.there);
    await using store = await start();

    expect((await store.ruleStates.lastSlots()).size).toBeGreaterThan(0);
  },
);

test('a state that moves back from a database without its last commits has a noted restore', async () => {
  using place = await installation();
  await run(place.file);
  await migrateState(place.there);
  const client = await connectAlone({ url: postgres.url, schema: place.schema, applicationName: 'test' });
  await client.query("insert into timeline (name) values ('of another server')");
  await client.end();

  await migrateState(place.back(place.folder));

  expect(await run(place.file)).toBe(1);
});

test('a target with a state is refused, and nothing changes', async () => {
  using place = await installation();
  await using store = await openPostgresStore({ url: postgres.url, schema: place.schema, clock: new ManualClock(SLOT_MS) });
  await store.ruleSources.change({ save: [{ file: 'live.yaml', source: 'id: live' }], forget: [] });

  await expect(migrateState(place.there)).rejects.toThrow('the target already has a state (rule_source)');
  await expect(migrateState(place.back(place.file))).rejects.toThrow('the target already has a state (rule_state, ');

  expect(existsSync(place.file)).toBe(true);
  expect(readdirSync(place.folder).filter((name) => name.includes('moved') || name.includes('migrating'))).toEqual([]);
});

test('an empty database is not moved, because its file would replace the state', async () => {
  using place = await installation();
  const before = await rowsOf(place.file);
  const to = join(place.folder, 'postgres');

  await expect(migrateState(place.back(to))).rejects.toMatchObject({
    message: 'the database has no state to move',
    file: 'DATABASE_URL',
    hint: `to move ${place.file} to this database: npx fanfare migrate --to env:DATABASE_URL`,
  });

  expect(existsSync(join(to, 'fanfare.sqlite'))).toBe(false);
  expect(await rowsOf(place.file)).toEqual(before);
});

test('a state that nothing was stored in, for example in a wrong folder, is not moved', async () => {
  using folder = temporaryFolder({ inMemory: true });
  await (await openStore({ file: join(folder.path, 'fanfare.sqlite') }))[Symbol.asyncDispose]();

  await expect(
    migrateState({ environment: { FANFARE_DATA: folder.path }, to: postgres.url, schema: postgres.newSchema() }),
  ).rejects.toMatchObject({ message: 'there is no state to move', hint: 'set FANFARE_DATA to the folder of the state' });
});

test('a running instance is refused', async () => {
  using place = await installation();
  await using running = await openStore({ file: place.file });
  using _sender = await running.deliveries.claim({ signal: new AbortController().signal });

  await expect(migrateState(place.there)).rejects.toThrow('Fanfare is running and uses this state');
});

test('running workers are refused', async () => {
  using place = await installation();
  await migrateState(place.there);
  const client = await connectAlone({ url: postgres.url, schema: place.schema, applicationName: 'test' });
  await client.query(
    "insert into worker (id, role, host, schema_version, started_ms, seen_ms, key_fingerprint) values ('worker-1', 'all', 'here', 1, now_ms(), now_ms(), '')",
  );
  await client.end();

  await expect(migrateState(place.back(place.folder))).rejects.toThrow('workers use this database: worker-1');

  expect(existsSync(place.file)).toBe(false);
});

test('a user who does not own the schema cannot move the state, and nothing changes', async () => {
  using place = await installation();
  await migrateState(place.there);
  const { schema } = place;
  const user = `app_${process.pid}`;
  const client = await connectAlone({ url: postgres.url, schema, applicationName: 'test' });
  await client.query(`create role ${user} login password 'secret'`);
  await client.query(`grant usage on schema ${schema} to ${user}`);
  await client.query(`grant select, insert, update, delete on all tables in schema ${schema} to ${user}`);

  const url = postgres.url.replace(/\/\/[^@]*@/u, `//${user}:secret@`);
  const moving = migrateState({ ...place.back(place.folder), environment: { FANFARE_DATA: place.folder, DATABASE_URL: url } });

  await expect(moving).rejects.toMatchObject({
    name: 'ConfigError',
    message: `the user of the database may not rename the schema ${schema}`,
    hint: expect.stringContaining("the schema's owner") as unknown,
  });
  expect(readdirSync(place.folder).filter((name) => name === 'fanfare.sqlite' || name.includes('migrating'))).toEqual([]);
  const { rows } = await client.query('select nspname from pg_namespace where nspname = $1', [schema]);
  expect(rows).toHaveLength(1);
  await client.query(`drop owned by ${user}; drop role ${user}`);
  await client.end();
});

test('if the connection ends during the commit, the file is kept under a name that Fanfare does not open', async () => {
  using place = await installation();
  await migrateState(place.there);
  const real: unknown = Reflect.get(pg.Client.prototype, 'query');
  using queries = vi.spyOn(pg.Client.prototype, 'query');
  queries.mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    if (args[0] === 'commit') return Promise.reject(new Error('Connection terminated unexpectedly'));
    return Reflect.apply(real as (...all: unknown[]) => unknown, this, args); // the method, whose overloads have different answers
  });

  const moving = migrateState(place.back(place.folder));

  await expect(moving).rejects.toMatchObject({
    message: 'the connection ended before PostgreSQL confirmed the move',
    hint: expect.stringContaining('fanfare.sqlite.unconfirmed') as unknown,
  });
  expect(readdirSync(place.folder)).toContain('fanfare.sqlite.unconfirmed');
  expect(existsSync(place.file)).toBe(false);
});

test('if the connection ends during the commit of a copy, the file stays the state', async () => {
  using place = await installation();
  const real: unknown = Reflect.get(pg.Client.prototype, 'query');
  const copying = new WeakSet<pg.Client>();
  using queries = vi.spyOn(pg.Client.prototype, 'query');
  queries.mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    if (String(args[0]).startsWith('lock table rule_state')) copying.add(this);
    const answer = (Reflect.apply as (...all: unknown[]) => unknown)(real, this, args); // the method, whose overloads have different answers
    if (args[0] !== 'commit' || !copying.has(this)) return answer;
    return Promise.resolve(answer).then(() => Promise.reject(new Error('Connection terminated unexpectedly')));
  });

  const moving = migrateState(place.there);

  await expect(moving).rejects.toMatchObject({
    name: 'ConfigError',
    hint: expect.stringContaining(`${place.file} is still the state`) as unknown,
  });
  expect(readdirSync(place.folder).filter((name) => name.includes('moved'))).toEqual([]);
  expect(existsSync(place.file)).toBe(true);
});

test('if the connection ends before the commit, nothing is moved, and the command can run again', async () => {
  using place = await installation();
  const real: unknown = Reflect.get(pg.Client.prototype, 'query');
  {
    using queries = vi.spyOn(pg.Client.prototype, 'query');
    queries.mockImplementation(function (this: pg.Client, ...args: unknown[]) {
      if (String(args[0]).startsWith('lock table rule_state')) return Promise.reject(new Error('Connection terminated unexpectedly'));
      return Reflect.apply(real as (...all: unknown[]) => unknown, this, args); // the method, whose overloads have different answers
    });

    await expect(migrateState(place.there)).rejects.toMatchObject({ name: 'ConfigError', file: '--to' });
  }

  expect(await migrateState(place.there)).toMatchObject({ direction: 'toPostgres' });
});

test('an error of the target names the option, and an error of the source the variable', async () => {
  using place = await installation();
  const wrong = postgres.url.replace(/:[^:@/]+@/u, ':wrong@');
  const hint = 'check the user and the password in this address';

  const back = { environment: { DATABASE_URL: wrong, FANFARE_DATA: place.folder }, to: join(place.folder, 'new.sqlite') };

  await expect(migrateState({ ...place.there, to: wrong })).rejects.toMatchObject({ name: 'ConfigError', file: '--to', hint });
  await expect(migrateState(back)).rejects.toMatchObject({ name: 'ConfigError', file: 'DATABASE_URL', hint });
});

test.for([
  [
    'no state',
    (folder: string) => ({ environment: { FANFARE_DATA: join(folder, 'none') }, to: postgres.url }),
    'there is no state to move',
  ],
  ['no DATABASE_URL', (folder: string) => ({ environment: { FANFARE_DATA: folder }, to: folder }), 'the state is not in PostgreSQL'],
] as const)('%s is reported', async ([, request, message]) => {
  using folder = temporaryFolder({ inMemory: true });
  writeFileSync(join(folder.path, 'other'), '');

  await expect(migrateState(request(folder.path))).rejects.toThrow(message);
});

test('the address of the database comes from a variable or a file, so that it is on no command line', async () => {
  using place = await installation();
  const file = join(place.folder, 'address');
  writeFileSync(file, `${postgres.url}\n`);

  const there = await migrateState({ ...place.there, to: 'env:NEW', environment: { ...place.there.environment, NEW: postgres.url } });
  await migrateState(place.back(place.folder));
  const again = await migrateState({ ...place.there, to: `file:${file}`, schema: postgres.newSchema() });

  expect([there.to, again.to]).toEqual([postgres.address, postgres.address]);
});

test.for<readonly [to: string, message: string, hint?: string]>([
  ['env:MISSING', 'the variable is not set'],
  ['file:/missing/address', 'the file cannot be read', 'there is no such file or folder'],
  ['env:WRONG', 'it is not the address of a PostgreSQL database'],
  ['postgres://fanfare:se cret@db[', 'it is not the address of a PostgreSQL database'],
  ['postgres://fanfare:p@secret/word@db/fanfare', 'it is not the address of a PostgreSQL database'],
])('%s as a target is refused without its value', async ([to, message, hint]) => {
  using place = await installation();
  const environment = { ...place.there.environment, WRONG: 'secret' };

  const error = await migrateState({ ...place.there, to, environment }).catch((reason: unknown) => reason);

  expect(error).toMatchObject({ name: 'ConfigError', message, ...(hint !== undefined && { hint }) });
  expect(String(error)).not.toContain('cret');
  expect(existsSync(place.file)).toBe(true);
});
