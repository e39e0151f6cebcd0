import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openPostgresStore } from '#src/store/postgres/open.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { createDatabase } from '../support/postgres-database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const postgres = await createDatabase();
afterAll(() => postgres[Symbol.asyncDispose]());

/** A state of version 0.1.0 with the sent deliveries m1 to m6: posts with odd numbers, and reads. */
function recorded(name: string): string {
  const columns = `firing, rule, episode, queue, section, occasion, step, element, head, part, account, creates, even_if_unchanged, plan, attempts,
    created_ms, begins_ms, due_ms, expires_ms, max_age_ms, strict`;
  const rows = [1, 2, 3, 4, 5, 6].map(
    (number) => `insert into delivery (id, verb, state, ${columns})
      select 'm${number}', ${number % 2 === 1 ? 'verb' : "'streaming.getUser'"}, 'pending', ${columns} from delivery where id = 'NGW7IYClygX8M7flCVAiJBgd';`,
  );
  const state = readFileSync(join(import.meta.dirname, 'recorded', name), 'utf8');
  return `${state}${rows.join('')} update delivery set state = 'sent', settled_ms = created_ms where id like 'm%';`;
}

async function openFile(): Promise<Store> {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const file = join(folder.path, 'fanfare.sqlite');
  using database = new DatabaseSync(file);
  database.exec(recorded('live.sqlite.sql'));
  return openStore({ file });
}

async function connect(schema: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: postgres.url, options: `-c search_path=${schema},pg_catalog` });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

async function openSchema(schema = postgres.newSchema()): Promise<Store> {
  const client = await connect(schema);
  await client.query(`create schema ${schema}`);
  await client.query(recorded('live.postgres.sql'));
  return openPostgresStore({ url: postgres.url, schema });
}

test.for([
  ['SQLite', openFile],
  ['PostgreSQL', () => openSchema()],
] as const)('a migration counts the sent deliveries of %s without those that only read', async ([, open]) => {
  await using store = await open();

  expect((await store.deliveryLog.counts()).find(({ state }) => state === 'sent')?.count).toBe(4);
});

test('a program of an earlier version counts with a newer schema, also what it changed during the migration', async () => {
  const schema = postgres.newSchema();
  const client = await connect(schema);
  await client.query(`create schema ${schema}`);
  await client.query(recorded('live.postgres.sql'));
  await client.query("begin; update delivery set state = 'failed' where id in ('m1', 'm2')");

  const opening = openPostgresStore({ url: postgres.url, schema });
  const other = await connect(schema);
  const waiting = "select 1 from pg_locks where not granted and relation = 'delivery'::regclass";
  await expect.poll(async () => (await other.query(waiting)).rows.length).toBe(1);
  await client.query("update delivery set state = 'failed' where id = 'm3'; commit");
  await using _store = await opening;
  await client.query("update delivery set state = 'failed' where id = 'm4'");

  const { rows } = await client.query('select cast(sum(count) as int) as sent from sent_count');
  expect(rows).toEqual([{ sent: 3 }]);
});

test('transactions that count deliveries of the same operations in another order do not exclude each other', async () => {
  const schema = postgres.newSchema();
  await using _store = await openSchema(schema);
  const [first, second] = [await connect(schema), await connect(schema)];
  // All sessions count in the same rows.
  await first.query("create function pg_backend_pid() returns integer language sql as 'select 7'");
  const fail = (client: pg.Client, id: string) => client.query("update delivery set state = 'failed' where id = $1", [id]);
  await fail(first, 'm5');
  await fail(first, 'm6');
  const { rows: sessions } = await second.query<{ readonly pid: number }>('select pg_catalog.pg_backend_pid() as pid');
  await first.query('begin');
  await second.query('begin');

  await fail(first, 'm1');
  let isCounted = false;
  const counting = fail(second, 'm2').then(() => (isCounted = true));
  const watching = await connect(schema);
  const waits = async () =>
    (await watching.query('select 1 from pg_locks where not granted and pid = $1', [sessions[0]?.pid])).rows.length > 0;
  await expect.poll(async () => isCounted || (await waits())).toBe(true);
  const ending = counting.then(() => fail(second, 'm3')).then(() => second.query('commit'));
  await Promise.all([ending, fail(first, 'm4').then(() => first.query('commit'))]);

  const { rows } = await first.query("select id from delivery where id like 'm%' and state = 'sent'");
  expect(rows).toEqual([]);
});
