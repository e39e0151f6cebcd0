import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { backUp } from '#src/app/backup.ts';
import { openOfflineActions } from '#src/app/open-offline-actions.ts';
import { openDoctor } from '#src/app/open-doctor.ts';
import { examineDatabase } from '#src/app/examine-database.ts';
import { restore } from '#src/app/restore.ts';
import { withStoredState } from '#src/app/stored-state.ts';
import { secretsOf } from '#src/config/accounts.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import type { CheckResult } from '#src/admin/doctor/check-result.ts';
import { openPostgresStore } from '#src/store/postgres/open.ts';
import { cardRule } from '../engine/rule-sets/fixture.ts';
import { find, settle } from '../contract/delivery-steps.ts';
import { committing, creating, firing, keysOf } from '../support/firings.ts';
import { createDatabase } from '../support/postgres-database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const postgres = await createDatabase();
const folder = temporaryFolder({ inMemory: true });
afterAll(async () => {
  await postgres[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const environment = { DATABASE_URL: postgres.url, FANFARE_DATA: join(folder.path, 'data') };
const config = configOfEnvironment(environment);

test('commands read the state of the database, and create no file', async () => {
  await withStoredState(config, (store) => store.ruleStates.commit(committing([])));

  const slots = await withStoredState(config, (store) => store.ruleStates.lastSlots());

  expect([...slots.keys()]).toEqual(['live']);
  expect(existsSync(config.dataDirectory)).toBe(false);
});

test('commands on a machine with a wrong clock change the state at the time of the database', async () => {
  await using database = await createDatabase();
  await using store = await openPostgresStore({ url: database.url });
  const when = 'when: { cron: "0 0 1 1 *" }';
  const counted = `id: counted\n${when}\nkeep: { count: "\${{ keep.count + 1 }}" }\nthen: [{ do: discord.send, with: { channel: news, content: hi } }]\n`;
  const greet = `id: greet\n${when}\nthen: [{ id: hello, do: discord.send, with: { channel: news, content: hi } }]\n`;
  const files = Object.entries({ counted, greet }).map(([name, source]) => ({ file: `${name}.yaml`, source }));
  await store.ruleVersions.publish({ files, by: 'ci', after: 0 });
  const atMs = Date.now();
  const fired = firing([creating(['discord'], { id: 'hello', do: 'discord.send' })], { rule: 'greet', atMs });
  await store.ruleStates.commit(committing([fired], { rule: 'greet', slotMs: atMs }));
  const [delivery = ''] = keysOf(fired);
  await settle(store, delivery, { state: 'failed', error: { fault: 'missing', message: 'gone' } }, { params: {} });
  await store.ruleStates.changePauses(['counted'], { pause: { by: 'grace', fromMs: atMs + 1_800_000 } });
  const actions = openOfflineActions({ ...environment, DATABASE_URL: database.url });
  const by = { name: 'ada', via: 'cli', role: 'admin' } as const;

  vi.useFakeTimers({ toFake: ['Date'], now: atMs + 3_600_000 });
  try {
    await actions.setValue({ rule: 'counted', name: 'count', value: 5 }, by);
    await actions.resumeRule({ rule: 'counted' }, by);
    await actions.resendDelivery({ delivery }, by);
  } finally {
    vi.useRealTimers();
  }

  const nowMs = Date.now();
  const slotMs = (await store.ruleStates.lastSlots()).get('counted')?.slotMs;
  const { state, dueAt } = await find(store, delivery);
  expect({ slotMs, state, dueAt }).toEqual({ slotMs: expect.any(Number), state: 'pending', dueAt: expect.any(Date) });
  expect([slotMs ?? 0, Number(dueAt)].filter((ms) => ms > nowMs)).toEqual([]);
  expect([...(await store.ruleStates.planned()).keys()]).toEqual(['counted']);
  expect((await store.auditLog.list({})).items.filter(({ at }) => Number(at) > nowMs)).toEqual([]);
});

describe('fanfare doctor', () => {
  test('shows the published version of the rules', async () => {
    const results = async (): Promise<readonly CheckResult[]> => {
      await using doctor = await openDoctor({ environment, write: () => undefined });
      const all = await Array.fromAsync(doctor.examine(AbortSignal.timeout(60_000)));
      return all.filter(({ about }) => about.includes('rules'));
    };
    const none = await results();
    {
      await using store = await openPostgresStore({ url: postgres.url });
      await store.ruleVersions.publish({ files: [{ file: 'live.yaml', source: cardRule('live') }], by: 'ci', after: 0 });
    }
    const published = await results();

    expect(none[0]).toEqual({
      about: 'published rules',
      state: 'warning',
      what: 'none',
      remedy: 'publish the rules folder: npx fanfare rules push',
      reason: { kind: 'nonePublished' },
    });
    expect(published).toEqual([
      {
        about: 'published rules',
        state: 'good',
        what: expect.stringMatching(/^version 1, published \S+Z by ci$/u),
        reason: { kind: 'published', number: 1, publishedAtMs: expect.any(Number), by: 'ci' },
      },
      { about: 'rules', state: 'good', what: '1 ready to run', reason: { kind: 'rulesReady', on: 1, off: 0, named: [] } },
    ]);
  });

  test('shows the version of the server and of the schema', async () => {
    const { store, database } = await examineDatabase(config);
    await store[Symbol.asyncDispose]();

    expect(database).toMatchObject({ about: 'database', state: 'good' });
    expect(database?.what).toMatch(/^PostgreSQL 18\.\d+ answers; version \d+ of the schema$/);
  });

  test('reports a database that answers and accepts no writes', async () => {
    const client = new pg.Client(postgres.url);
    await client.connect();
    await client.query('begin');
    await client.query('lock table fanfare.worker');

    const { store, database } = await examineDatabase(config);
    await client.end();
    await store[Symbol.asyncDispose]();

    expect(database).toMatchObject({
      about: 'database',
      state: 'bad',
      what: expect.stringContaining('answers and accepts no writes: it waits (relation)'),
    });
  });

  test.for([
    ['a server that does not answer', postgres.url.replace(String(postgres.port), '1'), /does not answer/],
    ['a wrong password', postgres.url.replace('secret-of', 'wrong-of'), /refuses the user or the password/],
    ['a missing database', `${postgres.url}x`, /the database does not exist/],
  ] as const)('reports %s without the password', async ([, url, message]) => {
    const { store, database } = await examineDatabase({ ...config, databaseUrl: url });
    await store[Symbol.asyncDispose]();

    expect(database).toMatchObject({ state: 'bad', remedy: expect.any(String) });
    expect(database?.what).toMatch(message);
    expect(JSON.stringify(database)).not.toMatch(/secret-of|wrong-of/);
  });
});

test.for([
  ['backup', backUp],
  ['restore', restore],
] as const)('fanfare %s names pg_dump', async ([, run]) => {
  const error = await run({ environment, file: join(folder.path, 'copy') }).catch((thrown: unknown) => thrown);

  expect(error).toMatchObject({ name: 'ConfigError', file: 'DATABASE_URL', hint: expect.stringContaining('pg_dump') });
});

describe('DATABASE_URL', () => {
  test.for(['mysql://db/fanfare', 'db.example', 'https://db.example/fanfare'])('%s is refused without its value', (url) => {
    expect(() => configOfEnvironment({ DATABASE_URL: url })).toThrow(
      'DATABASE_URL: write postgres://user:password@host/database, with special characters of the password encoded',
    );
  });

  test.for(['pass/word', 'pass#word', 'p@ss/word', 'p@ss#word', 'p@ss?word', '12/34', '12#34', '12?34'])(
    'the password %s has to be encoded',
    (password) => {
      const addressWith = (text: string) => `postgres://fanfare:${text}@db.example:5432/fanfare?sslmode=require&user=fanfare@db`;

      expect(() => configOfEnvironment({ DATABASE_URL: addressWith(password) })).toThrow(
        /DATABASE_URL: write .* encoded, for example @ as %40, \/ as %2F and # as %23$/u,
      );
      expect(() => configOfEnvironment({ DATABASE_URL: addressWith(encodeURIComponent(password)) })).not.toThrow();
    },
  );

  test('its password is a secret, even in its encoded form', () => {
    const url = 'postgresql://fanfare:p%40ss-word@db.example/fanfare';

    expect(secretsOf(configOfEnvironment({ DATABASE_URL: url }))).toEqual([url, 'p%40ss-word', 'p@ss-word']);
  });

  test('a password that equals the name of the user is no secret, because logs contain the name', () => {
    const url = 'postgres://fanfare:fanfare@db/fanfare';

    expect(secretsOf(configOfEnvironment({ DATABASE_URL: url }))).toEqual([url]);
    expect(secretsOf(configOfEnvironment({ DATABASE_URL: 'postgres://db/fanfare' }))).toEqual([]);
  });
});
