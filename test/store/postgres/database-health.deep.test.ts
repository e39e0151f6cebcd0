import { afterAll, describe, expect, test } from 'vitest';
import { systemClock } from '#src/clock.ts';
import { PROXY_MODES, startTcpProxy } from '../../chaos/tcp-proxy.ts';
import { startPostgres } from '../../support/postgres.ts';
import { isTrueWithin } from '../../support/running-time.ts';
import { administer, openWatched, repeatIfSlow } from './watched-cluster.ts';

const postgres = await startPostgres();
afterAll(() => postgres[Symbol.asyncDispose]());

const WITHIN = { timeout: 240_000 };
const LOST = 'error the database does not answer; Fanfare waits, and nothing is lost';
const BLOCKED = 'error the database accepts no writes; Fanfare waits, and nothing is lost';
const AGAIN = 'info  the database accepts writes again';
const ANSWERS = 'info  the database answers again';
const FAILED = 'warn  a connection to the database failed; Fanfare opens another one';

test('a stopped PostgreSQL is not healthy until it answers again, with one log line for each', () =>
  repeatIfSlow(postgres, async () => {
    await using process = await openWatched(postgres.url, postgres.newSchema());
    const { cluster, health, lines } = process;
    const read = () =>
      cluster.store.deliveryLog.counts().then(
        () => 'read',
        (error: Error) => error.name,
      );

    await postgres.stop();
    const during = [await read(), await read()];
    await expect.poll(() => health.state().lostAtMs, WITHIN).toBeDefined();
    await postgres.start();
    await expect.poll(read, WITHIN).toBe('read');
    await expect.poll(() => health.state(), WITHIN).toEqual({});

    expect(during).toEqual(['DatabaseUnavailable', 'DatabaseUnavailable']);
    expect(lines.filter((line) => line !== FAILED)).toEqual([LOST, ANSWERS]);
  }));

test('a read-only database accepts no writes', () =>
  repeatIfSlow(postgres, async () => {
    await using process = await openWatched(postgres.url, postgres.newSchema());
    const { health, lines } = process;

    await administer(postgres, 'alter system set default_transaction_read_only = on', 'select pg_reload_conf()');
    await expect.poll(() => health.state().code, WITHIN).toBe('25006');
    await administer(
      postgres,
      'set default_transaction_read_only = off',
      'alter system reset default_transaction_read_only',
      'select pg_reload_conf()',
    );
    await expect.poll(() => health.state(), WITHIN).toEqual({});

    expect(lines.filter((line) => line !== FAILED)).toEqual([BLOCKED, AGAIN]);
  }));

test.for([
  [
    '28000',
    (schema: string) => [
      `alter role ${schema} nologin`,
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${schema}'`,
    ],
    (schema: string) => [`alter role ${schema} login`],
  ],
  [
    '42P01',
    (schema: string) => [`alter schema ${schema} rename to ${schema}_moved`],
    (schema: string) => [`alter schema ${schema}_moved rename to ${schema}`],
  ],
] as const)(
  'a refused user or a renamed schema is one outage, with one log line at its beginning and one at its end (%s)',
  ([code, begin, end]) =>
    repeatIfSlow(postgres, async () => {
      const schema = postgres.newSchema();
      const { pathname } = new URL(postgres.url);
      await administer(
        postgres,
        `create role ${schema} login password 'not a secret'`,
        `grant create on database ${pathname.slice(1)} to ${schema}`,
      );
      const url = new URL(postgres.url);
      [url.username, url.password] = [schema, 'not a secret'];
      await using process = await openWatched(url.href, schema);
      const { cluster, health, lines } = process;
      const read = () =>
        cluster.store.deliveryLog.counts().then(
          () => 'read',
          (error: Error) => error.name,
        );

      // The probe has its connection then, as in a process that runs.
      await process.probed();
      await process.probed();
      await administer(postgres, ...begin(schema));
      await expect.poll(() => health.state().code, WITHIN).toBe(code);
      const during = new Set<string>();
      for (let n = 0; n < 40; n++) during.add(await read());
      await administer(postgres, ...end(schema));
      await expect.poll(() => health.state(), WITHIN).toEqual({});

      expect(during).toEqual(new Set(['DatabaseUnavailable']));
      expect(lines.filter((line) => line !== FAILED)).toEqual([BLOCKED, AGAIN]);
      expect(await read()).toBe('read');
    }),
);

// Each of these has its own connections, and waits most of the time.
describe.concurrent('with other processes on the same server', () => {
  test.for(PROXY_MODES.filter((mode) => mode !== 'pass' && mode !== 'delay'))(
    'a partition (%s) is noticed within 6 s and logged once',
    (mode, { expect }) =>
      repeatIfSlow(postgres, async () => {
        await using proxy = await startTcpProxy({ targetPort: postgres.port });
        await using process = await openWatched(postgres.url.replace(`:${postgres.port}/`, `:${proxy.port}/`), postgres.newSchema());
        const { health, lines } = process;
        await process.probed();
        const sinceMs = await process.probed();
        // New connections pass after these.
        const isShort = mode === 'reset' || mode === 'forget';

        proxy.setMode(mode);
        const isNoticed = (): boolean => isShort || (health.state().lostAtMs ?? 0) > sinceMs - 3_000;
        expect(await isTrueWithin(6_500, isNoticed)).toBe(true);
        if (isShort) await systemClock.sleep(6_000);
        const during = health.state();
        await systemClock.sleep(3_000);
        proxy.setMode('pass');
        await expect.poll(() => health.state(), WITHIN).toEqual({});

        expect(during.lostAtMs ?? 0).toBeLessThanOrEqual(sinceMs);
        expect(lines.filter((line) => line !== FAILED)).toEqual(isShort ? [] : [LOST, ANSWERS]);
      }),
  );

  test('a full disk is one outage, and statements fail as while the database is not available', ({ expect }) =>
    repeatIfSlow(postgres, async () => {
      const schema = postgres.newSchema();
      await using process = await openWatched(postgres.url, schema);
      const { cluster, health, lines } = process;
      const pause = () =>
        cluster.store.ruleStates.changePauses(['live'], { pause: { by: 'Ada' } }).then(
          () => 'paused',
          (error: Error) => error.name,
        );
      await administer(
        postgres,
        `create function ${schema}.full_disk() returns trigger language plpgsql as $$ begin
        raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`,
        ...['worker', 'paused_rule'].map(
          (table) =>
            `create trigger full_disk before insert or update on ${schema}.${table} for each row execute function ${schema}.full_disk()`,
        ),
      );

      const during = [];
      for (let n = 0; n < 40; n++) during.push(await pause());
      await expect.poll(() => health.state().code, WITHIN).toBe('53100');
      await administer(postgres, `drop function ${schema}.full_disk cascade`);
      await expect.poll(() => health.state(), WITHIN).toEqual({});

      expect(new Set(during)).toEqual(new Set(['DatabaseUnavailable']));
      expect(lines.filter((line) => line !== FAILED)).toEqual([BLOCKED, AGAIN]);
    }));

  test('a process without a free connection is one outage', ({ expect }) =>
    repeatIfSlow(postgres, async () => {
      await using process = await openWatched(postgres.url, postgres.newSchema());
      const { cluster, health, lines } = process;
      const { db } = cluster.store;
      const released = Promise.withResolvers<void>();
      const held = Array.from({ length: 10 }, () => db.connection().execute(() => released.promise));
      const read = () => cluster.store.deliveryLog.counts().catch(() => undefined);

      for (let n = 0; n < 4; n++) await Promise.all([read(), read(), read()]);
      await expect.poll(() => health.state().code, WITHIN).toBe('pool');
      released.resolve();
      await Promise.all(held);
      await read();
      await expect.poll(() => health.state(), WITHIN).toEqual({});

      expect(lines).toEqual([FAILED, BLOCKED, AGAIN]);
    }));

  test('an error in a statement is not an outage', ({ expect }) =>
    repeatIfSlow(postgres, async () => {
      await using process = await openWatched(postgres.url, postgres.newSchema());
      const { cluster, health, lines } = process;

      await expect(
        cluster.store.db
          .selectFrom('delivery')
          .select('none' as 'id')
          .execute(),
      ).rejects.toThrow('none');

      expect(health.state()).toEqual({});
      expect(lines).toEqual([]);
    }));
});
