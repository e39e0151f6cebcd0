import { sql } from 'kysely';
import type { Client } from 'pg';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { createAdvisoryLock, runAlone } from '#src/store/postgres/advisory-lock.ts';
import { connectAlone } from '#src/store/postgres/connect-alone.ts';
import { createProcessLock } from '#src/store/sqlite/process-lock.ts';
import { processLockContract } from '../contract/process-locks.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { databaseOfStores, openEmptyStore } from '../support/postgres-stores.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const store = await openEmptyStore();
const { schema, db } = store;
const { url } = await databaseOfStores();
afterAll(() => store[Symbol.asyncDispose]());

/** A condition that statements fulfil soon. */
const SOON = { interval: 3 };

let names = 0;

/** A lock of a process. */
function lockIn(name: string, clock: ManualClock) {
  const connect = () => connectAlone({ url, schema, applicationName: `fanfare ${name}` });
  return createAdvisoryLock({ connect, schema, name, clock });
}

describe('in a file', () => {
  processLockContract(async (clock) => {
    const folder = temporaryFolder();
    onTestFinished(() => folder[Symbol.dispose]());
    const file = `${folder.path}/state.sqlite`;
    const lock = () => createProcessLock({ file, name: 'tokens-x/sign-in', clock });
    return [lock(), lock()];
  });
});

describe('in the database', () => {
  processLockContract(async (clock) => {
    const name = `lock ${++names}`;
    return [lockIn(name, clock), lockIn(name, clock)];
  });
});

test('locks of another name are independent', async () => {
  const { signal } = new AbortController();
  const clock = new ManualClock();
  using one = await lockIn('a', clock).claim({ signal });
  using other = await lockIn('b', clock).claim({ signal, onWait: () => expect.fail('no process holds this lock') });
  expect(one).not.toBe(other);
});

test('the server takes the lock of a frozen process', async () => {
  const { signal } = new AbortController();
  const [frozen, working] = [new ManualClock(), new ManualClock()];
  const client = await connectAlone({ url, schema, applicationName: 'fanfare frozen' });
  const connect = () => Promise.resolve(client);
  await createAdvisoryLock({ connect, schema, name: 'frozen', clock: frozen, idleMs: 60_000 }).claim({ signal });
  expect((await client.query('show idle_session_timeout')).rows).toEqual([{ idle_session_timeout: '1min' }]);
  // A pause of this process during the claim would end the connection if the time were short before.
  await client.query('set idle_session_timeout = 100');
  const next = lockIn('frozen', working);
  onTestFinished(() => next.close());
  let isClaimed = false;
  void next.claim({ signal }).then(() => (isClaimed = true));
  await expect.poll(async () => (await working.advance(250), isClaimed), SOON).toBe(true);
});

test('the holder of a lock shows every 5 seconds that it is not frozen', async () => {
  const clock = new ManualClock();
  const lock = lockIn('working', clock);
  const lastQuery = async (): Promise<unknown> => {
    const { rows } = await sql<{ readonly query: string }>`
      select query from pg_stat_activity where application_name = 'fanfare working'`.execute(db);
    return rows[0]?.query;
  };
  await lock.claim(new AbortController());
  await clock.advance(4_999);
  expect(await lastQuery()).toContain('pg_try_advisory_lock');
  await clock.advance(1);
  await expect.poll(lastQuery, SOON).toBe('select 1');
  lock.close();
  expect(clock.sleeping).toBe(0);
  await expect.poll(lastQuery, SOON).toBeUndefined();
});

test('one of two processes runs work that needs one process', async () => {
  const [began, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ran: string[] = [];
  const first = runAlone(db, 'prune', async () => {
    began.resolve();
    await end.promise;
    throw new Error('it fails');
  });
  await began.promise;
  await runAlone(db, 'prune', async () => void ran.push('second'));
  await runAlone(db, 'other', async () => void ran.push('other'));
  end.resolve();
  await expect(first).rejects.toThrow('it fails');
  await runAlone(db, 'prune', async () => void ran.push('third'));
  expect(ran).toEqual(['other', 'third']);
});

test('a holder whose connection ends, or whose database does not answer, knows that its lock is lost', async () => {
  const clock = new ManualClock();
  const signal = new AbortController().signal;
  const released = await lockIn('released', clock).claim({ signal });
  const ended = await lockIn('ended', clock).claim({ signal });
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'fanfare ended'`.execute(db);
  await expect.poll(() => ended.lost?.aborted, SOON).toBe(true);
  expect(released.lost?.aborted).toBe(false);
  released[Symbol.dispose]();
  await clock.advance(60_000);
  expect(released.lost?.aborted).toBe(false);

  const silent: Client[] = [];
  const name = 'silent';
  const connect = async (): Promise<Client> => {
    const client = await connectAlone({ url, schema, applicationName: `fanfare ${name}` });
    silent.push(client);
    return client;
  };
  const held = await createAdvisoryLock({ connect, schema, name, clock, idleMs: 12_000 }).claim({ signal });
  const [client] = silent;
  if (client) Object.assign(client, { query: () => new Promise(() => undefined) });
  await clock.advance(8_999);
  expect(held.lost?.aborted).toBe(false);
  await clock.advance(1);
  expect(held.lost?.aborted).toBe(true);
  held[Symbol.dispose]();
});
