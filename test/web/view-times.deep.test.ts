import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import pg from 'pg';
import { openPostgresStore } from '#src/store/postgres/open.ts';
import { openDatabase } from '#src/store/sqlite/open.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { deliveryListPlans, deliveryListTimes } from '../store/delivery-list-times.ts';
import { writeToPostgres, writeToSqlite } from '../support/bulk-installation.ts';
import { recordedPostgres, recordedSqlite, type RecordedDatabase } from '../support/filtered-deliveries.ts';
import { endMs, LARGE, serveLarge } from '../support/large-installation.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { countProcessorMs, slowdown } from '../support/processor-time.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { selected } from '../support/property.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openSandboxSite } from './open-sandbox-site.ts';
import { openSite } from './open-site.ts';

const LIMIT_MS = 200;
const ROUNDS = 5;
const TIMEOUT_MS = 900_000;

const CACHE = 'pragma cache_size = -200000';
/** No process of the server works in the background while rows are written or times are measured. */
const POSTGRES = {
  max_wal_size: '4GB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  shared_buffers: '512MB',
  maintenance_work_mem: '256MB',
  autovacuum: 'off',
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
};
const MIDDLE = Math.floor(LARGE.deliveries / 2);

/** The views, each with a text of its data. */
const PATHS = [
  ['/overview', 'rule-7'],
  ['/rules', 'rule-1'],
  ['/rules?page=50', 'team '],
  ['/rules?text=team%2042', 'team 42'],
  ['/rules?state=paused', 'team '],
  ['/rules?state=failing', 'team '],
  ['/rules?state=broken&text=RULE-9', 'rule-9'],
  ['/rules/big', 'Streamer s'],
  ['/rules/big?text=cooldown&outcome=suppressed', 'cooldown'],
  ['/rules/big?text=nobody&outcome=suppressed', 'big'],
  ['/why', 'cooldown'],
  ['/why?q=Streamer%2017', 'cooldown'],
  ['/why?q=Streamer%20x', 'Streamer x'],
  ['/why?q=user77', 'rule-77'],
  ['/deliveries', 'Streamer s'],
  ['/deliveries?rule=big', 'Streamer s'],
  ['/deliveries?state=failed', 'Streamer s'],
  ['/deliveries?state=unknown', 'Streamer s'],
  ['/deliveries?state=pending', 'Streamer s'],
  ['/deliveries?account=rare', 'Streamer s'],
  ['/deliveries?account=x&rule=big&state=failed', 'name="rule"'],
  ['/deliveries?item=twitch%2F17', 'Streamer s'],
  ['/deliveries?text=viewers', 'Streamer s'],
  [`/deliveries?text=s${MIDDLE}`, `s${MIDDLE}`],
  ['/deliveries?text=even%20odd', 'even odd'],
  ['/deliveries?text=nobody', 'nobody'],
  ['/deliveries?cursor=40', 'Streamer s'],
  [`/deliveries?state=sent&cursor=${MIDDLE}`, 'Streamer s'],
  [`/deliveries/d${MIDDLE + 20}`, `s${MIDDLE + 20}`],
  ['/lists', 'team'],
  ['/lists/team', 'Person 1'],
  ['/lists/team?from=9950', 'Person 999'],
  ['/lists/team?q=person9999', 'Person 9999'],
  ['/accounts', 'account19'],
  ['/settings', 'Person 1'],
  ['/settings?from=450', 'Person '],
  ['/audit', 'rule-'],
  ['/audit?cursor=30', 'rule-'],
  ['/audit?action=resendDelivery', 'd'],
  ['/audit?action=resendDelivery&target=rule-7', 'rule-7'],
  ['/audit?target=rule-7', 'rule-7'],
  ['/audit?target=nobody', 'nobody'],
] as const;

/** The views whose work is in the database. */
const DATABASE_PATHS = PATHS.filter(([path]) => /^\/(?:overview|rules|why|deliveries|audit|accounts)/u.test(path));

const clock = new ManualClock(endMs(LARGE));

async function serve(from: Store, sandboxOrigin?: string): Promise<Hono> {
  const { apiQueries, operations } = serveLarge(from, clock);
  const { routes, apiQueries: fake } = await openSite({ operations, ...(sandboxOrigin !== undefined && { sandboxOrigin }) });
  Object.assign(fake, apiQueries);
  return routes;
}

/** The median of the processor time of a view, after the first round. */
async function medianMs(
  routes: Hono,
  path: string,
  text: string,
  serverMs: () => Promise<number> = () => Promise.resolve(0),
): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const beforeMs = await serverMs();
    const usedMs = countProcessorMs();
    const response = await routes.request(path);
    const page = await response.text();
    const hereMs = usedMs();
    times.push(hereMs + (await serverMs()) - beforeMs);
    expect([response.status, page.includes(text)]).toEqual([200, true]);
    // What is kept for some seconds is read again.
    clock.set(clock.nowMs() + 5000);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(ROUNDS / 2)] ?? Number.NaN;
  console.log(path, 'first', times[0]?.toFixed(0), 'median', median.toFixed(0), 'ms');
  return median;
}

function testSqlite(): void {
  const folder = temporaryFolder();
  let store: Store;
  let listed: RecordedDatabase;

  beforeAll(async () => {
    const file = join(folder.path, 'fanfare.sqlite');
    const database = openDatabase(file);
    database.exec(CACHE);
    await writeToSqlite(database, LARGE);
    store = await openStore({ file, clock });
    const second = openDatabase(file);
    second.exec(CACHE);
    listed = recordedSqlite(second);
  }, TIMEOUT_MS);

  afterAll(async () => {
    await listed[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  deliveryListTimes('SQLite', () => listed);

  test.for(PATHS)('%s takes little processor time', { timeout: TIMEOUT_MS }, async ([path, text]) => {
    expect(await medianMs(await serve(store), path, text)).toBeLessThan(LIMIT_MS * slowdown());
  });

  test('/sandbox takes little processor time', { timeout: TIMEOUT_MS }, async () => {
    const { sandboxOrigin } = await openSandboxSite();
    expect(await medianMs(await serve(store, sandboxOrigin), '/sandbox', 'Streamer s')).toBeLessThan(LIMIT_MS * slowdown());
  });
}

function testPostgres(): void {
  let postgres: TestPostgres;
  let client: pg.Client;
  let store: Store;
  let listed: RecordedDatabase;

  beforeAll(async () => {
    postgres = await startPostgres({ settings: POSTGRES });
    const schema = postgres.newSchema();
    await (await openPostgresStore({ url: postgres.url, schema }))[Symbol.asyncDispose]();
    // The connections of the store end a long statement.
    client = new pg.Client({ connectionString: postgres.url, options: `-c search_path=${schema},pg_catalog` });
    await client.connect();
    await writeToPostgres(client, { url: postgres.url, schema }, LARGE);
    store = await openPostgresStore({ url: postgres.url, schema, clock });
    listed = await recordedPostgres(postgres.url, schema);
  }, TIMEOUT_MS);

  afterAll(async () => {
    await client.end();
    await listed[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
    await postgres[Symbol.asyncDispose]();
  });

  deliveryListTimes('PostgreSQL', () => listed);
  deliveryListPlans(() => listed);

  test.for(DATABASE_PATHS)('%s takes little processor time', { timeout: TIMEOUT_MS }, async ([path, text]) => {
    expect(await medianMs(await serve(store), path, text, () => postgresMs(client))).toBeLessThan(LIMIT_MS * slowdown());
  });
}

/** The processor time of the connections of the store, in milliseconds. */
async function postgresMs(client: pg.Client): Promise<number> {
  const backends = `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`;
  const { rows } = await client.query<{ readonly pid: number }>(backends);
  // The first number is the time on a processor in nanoseconds.
  return rows.reduce((all, { pid }) => all + Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6, 0);
}

const STORES = [
  ['SQLite', testSqlite],
  ['PostgreSQL', testPostgres],
] as const;

describe.each(selected(STORES, STORES.length))('in %s', (_, testStore) => {
  testStore();
});
