import { sql } from 'kysely';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { ConfigError } from '#src/errors.ts';
import { connectAlone } from '#src/store/postgres/connect-alone.ts';
import { SCHEMA } from '#src/store/postgres/schema.ts';
import { newestVersion } from '#src/store/schema/versions.ts';
import { joinWorkers, workersWithOtherKey, type Workers } from '#src/store/postgres/workers.ts';
import { SLOT_MS } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { startTimedDatabase } from './timed-database.ts';

const KNOWN = newestVersion(SCHEMA);

const database = await startTimedDatabase();
const { db } = database;
const { log, lines } = await database.open('workers');
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(async () => {
  await database.clear();
  await sql`delete from worker`.execute(db);
});

const clock = new ManualClock();
const join = (id: string, role = 'all', keyFingerprint?: string): Promise<Workers> =>
  joinWorkers({ db, id, role, schemaVersion: KNOWN, keyFingerprint, clock, log });
const ids = async (workers: Workers) => (await workers.live()).map(({ id }) => id);

/** Counts the processes of this worker. */
async function count(workers: Workers): Promise<number> {
  const stop = new AbortController();
  const running = workers.run(stop.signal);
  await clock.advance(5_000);
  await expect.poll(() => clock.sleeping, { interval: 3 }).toBe(1);
  stop.abort();
  await running;
  return workers.share();
}

test('the first process is alone, and each process counts the processes that send and poll', async () => {
  const first = await join('b');
  expect([first.wasAlone, first.share()]).toEqual([true, 1]);
  const second = await join('a', 'worker');
  await using third = await join('c', 'web');
  expect([second.wasAlone, second.share(), third.wasAlone]).toEqual([false, 1 / 2, false]);
  expect([await count(first), await ids(first)]).toEqual([1 / 2, ['a', 'b', 'c']]);

  await second[Symbol.asyncDispose]();
  expect([await count(first), await ids(first)]).toEqual([1, ['b', 'c']]);
  await first[Symbol.asyncDispose]();
  expect(await count(third)).toBe(1);
});

test('a process that starts waits for one that is starting, and is not alone', async () => {
  const [joined, committed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const row = { id: 'a', role: 'all', host: 'h', schema_version: 1, started_ms: SLOT_MS, seen_ms: SLOT_MS, key_fingerprint: '' };
  const starting = db.transaction().execute(async (trx) => {
    await trx.insertInto('worker').values(row).execute();
    joined.resolve();
    await committed.promise;
  });
  await joined.promise;
  let isJoined = false;
  const joining = join('b').finally(() => (isJoined = true));
  const waits = async () => isJoined || (await sql`select 1 from pg_locks where not granted`.execute(db)).rows.length > 0;
  await expect.poll(waits, { interval: 3 }).toBe(true);
  committed.resolve();
  await starting;
  expect((await joining).wasAlone).toBe(false);
});

test('a process without a heartbeat for 20 seconds is dead, and joins again with its next heartbeat', async () => {
  const schema = (await sql<{ readonly name: string }>`select current_schema() as name`.execute(db)).rows[0]?.name ?? '';
  const client = await connectAlone({ url: database.url, schema, applicationName: 'sign' });
  onTestFinished(() => client.end());
  const silent = await join('silent');
  await database.advance(19_999);
  expect(await ids(silent)).toEqual(['silent']);
  await database.advance(1);
  expect(await ids(silent)).toEqual([]);
  // The last other process is dead.
  const next = await join('next');
  expect(next.wasAlone).toBe(true);

  expect(await silent.sign(client)).toBe(database.nowMs());
  expect(await ids(next)).toEqual(['next', 'silent']);
  await database.advance(10_000);
  expect(await silent.sign(client)).toBe(database.nowMs());
  await database.advance(10_000);
  expect(await ids(next)).toEqual(['silent']);
});

test('a process that starts again replaces its earlier row', async () => {
  const killed = await join('one', 'worker', 'key');
  await database.advance(1_000);
  const again = await join('one', 'all', 'key');
  expect([killed.wasAlone, again.wasAlone]).toEqual([true, true]);
  expect(await again.live()).toMatchObject([{ id: 'one', role: 'all', startedMs: database.nowMs(), seenMs: database.nowMs() }]);
});

test('a process notes once that another one has its name, and not that its own row was deleted', async () => {
  const schema = (await sql<{ readonly name: string }>`select current_schema() as name`.execute(db)).rows[0]?.name ?? '';
  const client = await connectAlone({ url: database.url, schema, applicationName: 'sign' });
  onTestFinished(() => client.end());
  const noted = () => lines.filter((line) => line.includes('another process has the same name')).length;
  const first = await join('one');
  await sql`delete from worker`.execute(db);
  await database.advance(1_000);
  await first.sign(client);
  expect(noted()).toBe(0);

  await database.advance(1_000);
  const second = await join('one');
  for (const workers of [first, second, first]) await workers.sign(client);

  expect(noted()).toBe(1);
});

test('running processes with another key are named', async () => {
  for (const [id, key] of [
    ['same', 'a'],
    ['other', 'b'],
    ['none', undefined],
  ] as const)
    await join(id, 'all', key);
  const named = (key?: string) => workersWithOtherKey(db, key).then((all) => all.map((one) => one.split(' on ')[0]));
  expect([await named('a'), await named()]).toEqual([
    ['none', 'other'],
    ['other', 'same'],
  ]);
});

test('a process that cannot count the others keeps its share', async () => {
  const [one] = [await join('one'), await join('two')];
  await sql`alter table worker rename to away`.execute(db);
  expect(await count(one)).toBe(1);
  expect(lines.join('')).toContain('the workers could not be counted');
  await sql`alter table away rename to worker`.execute(db);
  expect(await count(one)).toBe(1 / 2);
});

test('a process does not work with a schema that a newer one contracted', async () => {
  const running = await join('one');
  await sql`insert into schema_version (version, works_with) values (${KNOWN + 1}, ${KNOWN + 1})`.execute(db);
  onTestFinished(() => void sql`delete from schema_version where version = ${KNOWN + 1}`.execute(db));

  await expect(join('two')).rejects.toThrow(ConfigError);
  const ended = running.run(new AbortController().signal);
  await Promise.all([
    expect(ended).rejects.toThrow(`version ${KNOWN + 1} of the schema; this Fanfare knows ${KNOWN}`),
    clock.advance(5_000),
  ]);
});
