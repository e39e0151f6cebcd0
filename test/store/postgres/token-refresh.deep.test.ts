import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { systemClock } from '#src/clock.ts';
import { connectAlone } from '#src/store/postgres/connect-alone.ts';
import { createAdvisoryLock } from '#src/store/postgres/advisory-lock.ts';
import { openPostgresStore } from '#src/store/postgres/open.ts';
import type { AccountTokens } from '#src/http/secrets/account-tokens.ts';
import { openX, type XFixture } from '../../adapters/x/open-x.ts';
import { sealedIn } from '../../exactly-once/sealed.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { startPostgres } from '../../support/postgres.ts';

const server = await startPostgres();
afterAll(() => server[Symbol.asyncDispose]());

const HOUR_MS = 3_600_000;
const REFRESH = 'POST /x/2/oauth2/token';
const Session = z.object({ accessToken: z.string(), refreshToken: z.string(), scopes: z.array(z.string()) });

/** A pause of this process, shorter than a lock is kept without a sign of life. */
const LONGEST_PAUSE_MS = 1_000;

interface Worker extends AsyncDisposable {
  readonly tokens: AccountTokens;
  readonly name: string;
}

/** Workers with one database, and a sign-in at X that has expired. */
async function open(fixture: XFixture, count: number) {
  const schema = server.newSchema();
  const names = Array.from({ length: count }, (_, index) => `worker-${index}`);
  const workers: readonly Worker[] = await Promise.all(
    names.map(async (name) => {
      const store = await openPostgresStore({ url: server.url, schema, applicationName: name, maxConnections: 2 });
      return { name, tokens: sealedIn(store.sealedRows, 'x'), [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
    }),
  );
  const signedIn = Session.parse(await fixture.control('sessions', { user: 'fanfare' }));
  await workers[0]?.tokens.save({ ...signedIn, expiresAt: new Date(fixture.clock.nowMs() + HOUR_MS).toISOString() });
  await fixture.clock.advance(3 * HOUR_MS);
  return {
    schema,
    workers,
    clients: await Promise.all(workers.map(({ tokens }) => fixture.client('fanfare', { tokens }))),
    async [Symbol.asyncDispose]() {
      for (const worker of workers) await worker[Symbol.asyncDispose]();
    },
  };
}

/** Repeats the work if this process was paused during it, because other workers take the lock of a paused process. */
async function withoutPause(work: () => Promise<void>): Promise<void> {
  for (let isPaused = true; isPaused;) {
    let [lastMs, longestMs] = [performance.now(), 0];
    const measure = (): void => {
      longestMs = Math.max(longestMs, performance.now() - lastMs);
      lastMs = performance.now();
    };
    const timer = setInterval(measure, 50);
    const [done] = await Promise.allSettled([work()]);
    clearInterval(timer);
    measure();
    isPaused = longestMs >= LONGEST_PAUSE_MS;
    if (!isPaused && done.status === 'rejected') throw done.reason;
  }
}

/** Ends the connections of a worker, like a kill of its process. */
async function disconnect(name: string): Promise<void> {
  const client = new pg.Client(server.url);
  await client.connect();
  await client.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [name]);
  await client.end();
}

test('of several workers that find the sign-in expired, one refreshes it, and the others use the new tokens', async () => {
  await using fixture = await openX();
  await using cluster = await open(fixture, 4);

  for (const hour of [1, 2]) {
    const answers = await Promise.all(cluster.clients.map((social) => social.getUserInfo()));

    expect(new Set(answers.map(({ handle }) => handle))).toEqual(new Set(['fanfare']));
    expect(await fixture.requests(REFRESH)).toBe(hour);
    await fixture.clock.advance(3 * HOUR_MS);
  }
});

test('a killed worker that was about to refresh does not delay the others', async () => {
  await using fixture = await openX();
  await using cluster = await open(fixture, 3);
  const holder = fork(join(import.meta.dirname, 'claim-process.ts'), [server.url, cluster.schema, 'x']);
  await once(holder, 'message');

  const answers = Promise.all(cluster.clients.map((social) => social.getUserInfo()));
  const early = await fixture.requests(REFRESH);
  holder.kill('SIGKILL');

  expect(await answers).toHaveLength(3);
  expect([early, await fixture.requests(REFRESH)]).toEqual([0, 1]);
});

test('if a worker ends between the refresh and its storage, the others ask for a new sign-in', async () => {
  await using fixture = await openX();
  await using cluster = await open(fixture, 3);
  const [dying, ...others] = cluster.workers;
  if (!dying) throw new Error('a worker');
  const saving = Promise.withResolvers<void>();
  const end = Promise.withResolvers<never>();
  const tokens: AccountTokens = {
    ...dying.tokens,
    save: () => {
      saving.resolve();
      return end.promise;
    },
  };
  const lost = (await fixture.client('fanfare', { tokens })).getUserInfo();
  await saving.promise;
  const answers = others.map(async (worker) => (await fixture.client('fanfare', { tokens: worker.tokens })).getUserInfo());
  const results = Promise.allSettled(answers);
  await disconnect(dying.name);

  const refusal = { status: 'rejected', reason: { fault: 'unauthorized', message: expect.stringContaining('must sign in again') } };
  expect(await results).toMatchObject([refusal, refusal]);
  expect(await fixture.requests(REFRESH)).toBe(3);
  end.reject(new Error('the process ended'));
  await expect(lost).rejects.toThrow('the process ended');
});

test('a lock of a frozen process ends, and a lock of a running process does not', async () => {
  const schema = server.newSchema();
  const lockOf = (clock: typeof systemClock, name: string) => {
    const connect = () => connectAlone({ url: server.url, schema, applicationName: 'lock' });
    return createAdvisoryLock({ connect, schema, name, clock, idleMs: 2_500 });
  };
  const never = new AbortController().signal;
  await withoutPause(async () => {
    using _frozen = await lockOf(new ManualClock(), 'frozen').claim({ signal: never });
    using _running = await lockOf(systemClock, 'running').claim({ signal: never });

    using _taken = await lockOf(systemClock, 'frozen').claim({ signal: never });
    const late = lockOf(systemClock, 'running').claim({ signal: AbortSignal.timeout(6_000) });

    await expect(late).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});
