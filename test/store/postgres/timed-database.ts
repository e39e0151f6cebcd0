import type { Kysely } from 'kysely';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { afterAll, afterEach, beforeEach } from 'vitest';
import { createLog } from '#src/log.ts';
import { asShared, type SharedTables } from '#src/store/postgres/shared-tables.ts';
import { openJobs, type Jobs } from '#src/store/postgres/jobs.ts';
import { createLaneJobs } from '#src/store/postgres/lane-jobs.ts';
import type { Notifications } from '#src/store/postgres/notifications.ts';
import { connectDatabase, storeIn, type PostgresStore } from '#src/store/postgres/open.ts';
import { jobsSchemaOf } from '#src/store/postgres/schema.ts';
import { SLOT_MS } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { createDatabase } from '../../support/postgres-database.ts';

type Message = Parameters<Notifications['send']>[0];

/** A process on the database. Its clock moves only if a test advances it, so a test freezes it by leaving its clock alone. */
export interface TimedProcess {
  readonly worker: string;
  readonly clock: ManualClock;
  readonly jobs: Jobs;
  readonly store: PostgresStore;
  readonly db: Kysely<SharedTables>;
  /** The messages of this process to others. */
  readonly sent: Message[];
  readonly notifications: Pick<Notifications, 'send' | 'announce' | 'subscribe'>;
  /** Delivers a message of another process to this one. */
  receive(message: Parameters<Parameters<Notifications['subscribe']>[0]>[0]): void;
  /** The lines of its log. */
  readonly lines: string[];
  readonly log: ReturnType<typeof createLog>;
}

/** A schema whose time a test sets: that of Fanfare and that of pg-boss. */
export interface TimedDatabase extends AsyncDisposable {
  readonly url: string;
  readonly jobsSchema: string;
  readonly db: Kysely<SharedTables>;
  nowMs(): number;
  /** Moves the time of the database and the clocks of these processes. */
  advance(ms: number, ...processes: readonly TimedProcess[]): Promise<void>;
  /** Opens a process with its own connections. */
  open(worker: string): Promise<TimedProcess>;
  /** Assigns the jobs of dead workers to others, as pg-boss does every few seconds. */
  supervise(): Promise<void>;
  /** Empties the tables, and sets the time back. */
  clear(): Promise<void>;
}

/** Two processes on one database. Before each test, their tables are empty; after it, their work ends. */
export interface TimedProcesses {
  readonly database: TimedDatabase;
  readonly one: TimedProcess;
  readonly two: TimedProcess;
  /** Aborts at the end of the test. */
  readonly ending: () => AbortSignal;
  /** The end of the test waits for this work. */
  readonly awaitEnd: (work: Promise<void>) => void;
  /** A promise that the test resolves, at its end at the latest. */
  readonly gate: () => PromiseWithResolvers<void>;
}

/** Starts two processes for the tests of a file. */
export async function startTwoProcesses(): Promise<TimedProcesses> {
  const database = await startTimedDatabase();
  const [one, two] = [await database.open('one'), await database.open('two')];
  let [stopping, works]: [AbortController, Promise<void>[]] = [new AbortController(), []];
  afterAll(() => database[Symbol.asyncDispose]());
  beforeEach(async () => {
    await database.clear();
    for (const { clock, lines, sent } of [one, two]) {
      clock.set(SLOT_MS);
      lines.length = 0;
      sent.length = 0;
    }
    [stopping, works] = [new AbortController(), []];
  });
  afterEach(async () => {
    stopping.abort();
    await Promise.all(works);
  });
  return {
    database,
    one,
    two,
    ending: () => stopping.signal,
    awaitEnd: (work) => void works.push(work),
    gate() {
      const gate = Promise.withResolvers<void>();
      stopping.signal.addEventListener('abort', () => gate.resolve());
      if (stopping.signal.aborted) gate.resolve();
      return gate;
    },
  };
}

/** Starts a server with one schema. */
export async function startTimedDatabase(): Promise<TimedDatabase> {
  const stack = new AsyncDisposableStack();
  const postgres = stack.use(await createDatabase());
  const { url } = postgres;
  const schema = postgres.newSchema();
  const jobsSchema = jobsSchemaOf(schema);
  let nowMs = SLOT_MS;

  async function connect(worker: string): Promise<TimedProcess> {
    const clock = new ManualClock(nowMs);
    const lines: string[] = [];
    const log = createLog({ level: 'debug', secrets: [], write: (line) => lines.push(line), color: false });
    const connected = stack.use(await connectDatabase({ url, schema, applicationName: `fanfare ${worker}`, maxConnections: 6 }));
    const jobs = await openJobs({ url, schema: jobsSchema, clock, log });
    const sent: Message[] = [];
    const listeners = new Set<Parameters<Notifications['subscribe']>[0]>();
    const receive: TimedProcess['receive'] = (message) => listeners.forEach((listener) => listener(message));
    const notifications: TimedProcess['notifications'] = {
      send: (message) => void sent.push(message),
      announce: (message) => (receive(message), void sent.push(message)),
      subscribe: (listener) => (listeners.add(listener), () => listeners.delete(listener)),
    };
    const store = storeIn(connected, { clock, laneJobs: createLaneJobs({ jobs, notifications }) });
    stack.use(jobs);
    return { worker, clock, jobs, store, db: asShared(connected.db), sent, notifications, receive, lines, log };
  }

  const { db } = await connect('test');
  const client = new pg.Client(url);
  await client.connect();
  stack.defer(() => client.end());
  await client.query(`
    set search_path to ${schema};
    create table test_time as select ${SLOT_MS}::bigint as ms;
    create or replace function now_ms() returns bigint language sql volatile as 'select ms from ${schema}.test_time';
    create or replace function ${jobsSchema}.job_now() returns timestamptz language sql stable
      as 'select to_timestamp(ms / 1000.0) from ${schema}.test_time'`);
  const boss = new PgBoss({ connectionString: url, schema: jobsSchema, supervise: false, schedule: false, migrate: false, max: 1 });
  // The disposal of the database may end a connection that is just closing.
  boss.on('error', () => undefined);
  await boss.start();
  stack.defer(() => boss.stop({ graceful: false, close: true }));

  /** pg-boss looks after a queue only if no process did so lately, and the processes of the test do so every five seconds. */
  async function forgetSupervision(): Promise<void> {
    await client.query(`update ${jobsSchema}.queue set monitor_claim_on = null, monitor_on = null, maintain_on = null`);
  }

  async function setTime(ms: number): Promise<void> {
    nowMs = ms;
    await client.query(`update test_time set ms = ${ms}`);
  }

  return {
    url,
    jobsSchema,
    db,
    nowMs: () => nowMs,
    async advance(ms, ...processes) {
      await setTime(nowMs + ms);
      for (const { clock } of processes) await clock.advance(ms);
    },
    open: connect,
    async supervise() {
      await forgetSupervision();
      await boss.supervise();
    },
    async clear() {
      const tables = [`${jobsSchema}.job`, 'need', 'delivery', 'firing', 'decision', 'rule_state', 'lane', 'agenda'];
      // In one transaction, they could wait for pg-boss while it waits for them.
      for (const table of tables) await client.query(`delete from ${table}`);
      await setTime(SLOT_MS);
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
