import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { systemClock } from '#src/clock.ts';
import { createDeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import { silentLog } from '#src/log.ts';
import { openCluster, type Cluster } from '#src/store/postgres/cluster.ts';
import { openNotifications } from '#src/store/postgres/notifications.ts';
import { openJobs } from '#src/store/postgres/jobs.ts';
import { connectDatabase } from '#src/store/postgres/open.ts';
import { jobsSchemaOf } from '#src/store/postgres/schema.ts';
import { startTcpProxy } from '../../chaos/tcp-proxy.ts';
import { FakePlatform } from '../../support/fake-platform.ts';
import { committing, creating, firing, renderPlainly } from '../../support/firings.ts';
import { startPostgres } from '../../support/postgres.ts';
import { expectSettled, untilNothingIsDue } from '../../support/settled.ts';

/** Work continues within this time. */
const WITHIN_MS = 240_000;

const postgres = await startPostgres();
afterAll(() => postgres[Symbol.asyncDispose]());

const open = (schema: string, worker: string, port = postgres.port): Promise<Cluster> =>
  openCluster({
    url: postgres.url.replace(`:${postgres.port}/`, `:${port}/`),
    schema,
    worker,
    role: 'all',
    log: silentLog,
  });

async function commitPost({ store, clock }: Cluster): Promise<void> {
  const post = firing([creating(['a'])], { rule: 'live', episode: `ada@${clock.nowMs()}`, atMs: clock.nowMs() });
  await store.ruleStates.commit(committing([post], { slotMs: clock.nowMs() }));
}

test('a worker continues soon after all its connections fell silent', async () => {
  const schema = postgres.newSchema();
  const platform = new FakePlatform(systemClock);
  await using proxy = await startTcpProxy({ targetPort: postgres.port });
  await using other = await open(schema, 'other');
  await using cluster = await open(schema, 'one', proxy.port);
  const stop = new AbortController();
  const engine = createDeliveryEngine({
    deliveries: cluster.store.deliveries,
    lanes: cluster.lanes,
    perform: platform.perform,
    recover: platform.recover,
    render: renderPlainly,
    clock: cluster.clock,
    log: silentLog,
  });
  const running = Promise.all([engine.run(stop.signal), cluster.run(stop.signal)]);
  using _ = { [Symbol.dispose]: () => stop.abort() };
  await commitPost(other);
  await expectSettled(
    () => platform.records.length,
    1,
    () => untilNothingIsDue(other.store, other.clock.nowMs()),
    { timeout: WITHIN_MS },
  );

  proxy.setMode('forget');
  await commitPost(other);

  await expectSettled(
    () => platform.records.length,
    2,
    () => untilNothingIsDue(other.store, other.clock.nowMs()),
    { timeout: WITHIN_MS },
  );
  stop.abort();
  await running;
});

test('a stop ends although the connection for notifications is silent', async () => {
  const schema = postgres.newSchema();
  await using proxy = await startTcpProxy({ targetPort: postgres.port });
  const notifications = openNotifications({
    url: postgres.url.replace(`:${postgres.port}/`, `:${proxy.port}/`),
    channel: schema,
    worker: 'two',
    notify: async () => undefined,
    clock: systemClock,
    log: silentLog,
  });
  const listening = new Promise<void>((resolve) => void notifications.subscribe(() => resolve()));
  const stop = new AbortController();
  const running = notifications.run(stop.signal);
  await listening;
  proxy.setMode('forget');

  stop.abort();

  await expect(Promise.race([running, systemClock.sleep(WITHIN_MS).then(() => 'still running')])).resolves.toBeUndefined();
});

test('a connection that ends in the middle of a transaction fails only that transaction', async () => {
  const { db } = await connectDatabase({ url: postgres.url, schema: postgres.newSchema() });
  const pidIn = async (on: typeof db): Promise<unknown> =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(on)).rows[0]?.pid;

  const transaction = db.transaction().execute(async (trx) => {
    const pid = await pidIn(trx);
    await sql`select pg_terminate_backend(${pid})`.execute(db);
    await systemClock.sleep(200);
    await pidIn(trx);
  });

  await expect(transaction).rejects.toThrow('the database is not available');
  expect(await pidIn(db)).toEqual(expect.any(Number));
  await db.destroy();
});

test('a killed worker starts again under its name', async () => {
  const schema = postgres.newSchema();
  const proxy = await startTcpProxy({ targetPort: postgres.port });
  const killed = await open(schema, 'one', proxy.port);
  proxy.setMode('refuse');

  await using again = await open(schema, 'one');

  expect((await again.workers.live()).map(({ id }) => id)).toEqual(['one']);
  await Promise.allSettled([killed[Symbol.asyncDispose](), proxy[Symbol.asyncDispose]()]);
});

test('a job that failed while the database did not answer runs again soon', async () => {
  const schema = postgres.newSchema();
  await using proxy = await startTcpProxy({ targetPort: postgres.port });
  await using connected = await connectDatabase({ url: postgres.url, schema });
  const { db } = connected;
  await using jobs = await openJobs({
    url: postgres.url.replace(`:${postgres.port}/`, `:${proxy.port}/`),
    schema: jobsSchemaOf(schema),
    clock: systemClock,
    log: silentLog,
  });
  await jobs.create(db, 'slots', [{ data: {} }]);
  const stop = new AbortController();
  const failures: unknown[] = [];
  let passing: Promise<void> | undefined;

  await jobs.work('slots', {
    capacity: () => Promise.resolve(1),
    async run(job) {
      if (!passing) {
        proxy.setMode('refuse');
        passing = systemClock.sleep(2_500).then(() => proxy.setMode('pass'));
        throw new Error('the database is not available');
      }
      const { rows } = await sql<{ readonly output: unknown }>`select output from ${sql.id(jobsSchemaOf(schema), 'job')}`.execute(db);
      failures.push(...rows.map(({ output }) => output));
      await db.transaction().execute((trx) => jobs.complete(trx, 'slots', job));
      stop.abort();
    },
    signal: stop.signal,
  });
  await passing;

  // Otherwise, its heartbeat would have ended after ten seconds.
  expect(failures).toEqual([null]);
});
