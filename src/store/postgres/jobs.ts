import { CompiledQuery, sql, type Kysely } from 'kysely';
import type { NamedQuery } from '../prepared.ts';
import type { Tables } from '#src/store/tables.ts';
import type { SharedTables } from './shared-tables.ts';
import { driverUrl } from './driver-url.ts';
import { repeat } from './repeat.ts';
import { PgBoss, type fromKysely } from 'pg-boss';
import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import { Alarm } from '#src/engine/alarm.ts';

/** Without a sign of life for so long, a job goes to another worker. pg-boss takes no shorter time. */
const HEARTBEAT_S = 10;
const TOUCH_MS = 3_000;
/** How often pg-boss looks for jobs of dead workers. */
const SUPERVISE_S = 5;
/** How often a worker looks for jobs that no notification announced. */
const POLL_MS = 1_000;
/** How often a worker that has as many jobs as it may asks how many it may have. */
const FULL_MS = 100;
/** pg-boss gives a job that takes longer to another worker. */
const EXPIRE_S = 3_600;
const KEEP_DONE_S = 60;
/** pg-boss passes these options on to the driver. A connection that fell silent would hold up all jobs of the worker. */
const CONNECTIONS = { connectionTimeoutMillis: 5_000, query_timeout: 10_000, keepAlive: true };

/** The queues: batches of slots, and accounts with deliveries. */
type Queue = 'slots' | 'lanes';

/** A database or a transaction. */
type Executor = Kysely<Tables> | Kysely<SharedTables>;

/** One run of a job. A worker that lost the job cannot end a later run. */
interface JobAttempt {
  readonly id: string;
  readonly retryCount: number;
}

/** A job that this worker got. */
export interface Job<T> extends JobAttempt {
  readonly data: T;
}

/** A new job. */
interface NewJob {
  readonly id?: string | undefined;
  /** Of the jobs of a queue with one key, one exists at a time. A further one is not created. */
  readonly key?: string | undefined;
  readonly data: object;
  /** The job starts after this time. */
  readonly startAfterMs?: number | undefined;
}

interface WorkOptions<T> {
  /** The number of jobs at once, now. */
  readonly capacity: () => Promise<number>;
  /** Runs a job and completes it. `signal` aborts if the job belongs to another worker by now. */
  readonly run: (job: Job<T>, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}

/** The jobs of all workers, in pg-boss. */
export interface Jobs extends AsyncDisposable {
  /** Creates jobs in the transaction of the caller. */
  create(trx: Executor, queue: Queue, jobs: readonly NewJob[]): Promise<void>;
  /** Ends a job in the transaction of the caller; without effect if another worker has it by now. */
  complete(trx: Executor, queue: Queue, job: JobAttempt): Promise<void>;
  /** Runs the jobs that this worker gets, until `signal` aborts. Resolves after the last one. A job that fails runs again. */
  work<T>(queue: Queue, options: WorkOptions<T>): Promise<void>;
  /** Looks for jobs at once. */
  wake(queue: Queue): void;
}

export interface JobsOptions {
  readonly url: string;
  /** The schema of pg-boss. */
  readonly schema: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Starts pg-boss. */
export async function openJobs({ url, schema, clock, log }: JobsOptions): Promise<Jobs> {
  const boss = new PgBoss({
    ...CONNECTIONS,
    connectionString: driverUrl(url),
    application_name: 'fanfare jobs',
    schema,
    max: 4,
    schedule: false,
    superviseIntervalSeconds: SUPERVISE_S,
    monitorIntervalSeconds: SUPERVISE_S,
  });
  boss.on('error', (error) => log.debug({ error }, 'the queue of jobs reported an error'));
  await boss.start();
  const limits = {
    retryLimit: 1_000_000,
    retryDelay: 0,
    heartbeatSeconds: HEARTBEAT_S,
    expireInSeconds: EXPIRE_S,
    deleteAfterSeconds: KEEP_DONE_S,
  };
  await boss.createQueue('slots', { policy: 'standard', ...limits });
  await boss.createQueue('lanes', { policy: 'exclusive', ...limits });
  const alarms: Readonly<Record<Queue, Alarm>> = { slots: new Alarm(), lanes: new Alarm() };

  /** Tells pg-boss that the jobs of this worker are alive, and ends those that another worker has. */
  async function touch(queue: Queue, running: ReadonlyMap<string, Running>): Promise<void> {
    const jobs = [...running.values()].map(({ job }) => job);
    if (jobs.length === 0) return;
    const { settled } = TOUCHED.parse(await boss.touch(queue, jobs.map(toAttempt)));
    for (const { id } of jobs) if (!settled.includes(id)) running.get(id)?.lost.abort();
  }

  return {
    async create(trx, queue, jobs) {
      if (jobs.length === 0) return;
      const rows = jobs.map(({ id, key, data, startAfterMs }) => ({
        ...(id !== undefined && { id }),
        ...(key !== undefined && { singletonKey: key }),
        ...(startAfterMs !== undefined && { startAfter: new Date(startAfterMs) }),
        data,
      }));
      const created = await boss.insert(queue, rows, { db: prepared(trx, `create_${queue}`), returnId: true });
      if (created?.length === jobs.length) return;
      const hurried = jobs.flatMap(({ key, startAfterMs }) => (key !== undefined && startAfterMs === undefined ? [key] : []));
      if (hurried.length === 0) return;
      // A job with the same key may wait for a later time.
      await sql`
        update ${sql.id(schema, 'job')} set start_after = ${sql.id(schema)}.job_now()
        where name = ${queue} and singleton_key in (${sql.join(hurried)}) and state < 'active' and start_after > ${sql.id(schema)}.job_now()
      `.execute(trx);
    },

    async complete(trx, queue, job) {
      await boss.complete(queue, [toAttempt(job)], null, { db: prepared(trx, `complete_${queue}`) });
    },

    wake: (queue) => alarms[queue].ring(),

    async work<T>(queue: Queue, { capacity, run, signal }: WorkOptions<T>) {
      const running = new Map<string, Running>();
      const alarm = alarms[queue];

      /** Returns a job to the queue. While the database does not answer, its heartbeat would end after ten seconds or later. */
      async function fail(job: Job<T>, ended: AbortSignal): Promise<void> {
        const untilMs = performance.now() + HEARTBEAT_S * 1_000;
        do {
          const isFailed = await boss.fail(queue, [toAttempt(job)]).then(
            () => true,
            () => false,
          );
          if (isFailed) return;
          await clock.sleep(POLL_MS, ended).catch(() => undefined);
        } while (!ended.aborted && performance.now() < untilMs);
      }

      function start(job: Job<T>): void {
        const lost = new AbortController();
        const done = run(job, lost.signal)
          .catch(async (error: unknown) => {
            if (lost.signal.aborted) return;
            log.warn({ queue, error }, 'a job failed; it runs again');
            await fail(job, AbortSignal.any([signal, lost.signal]));
          })
          .finally(() => {
            running.delete(job.id);
            alarm.ring();
          });
        running.set(job.id, { job, lost, done });
      }

      const stop = new AbortController();
      const touching = repeat(() => touch(queue, running), {
        everyMs: TOUCH_MS,
        clock,
        onError: (error) => log.debug({ queue, error }, 'the jobs could not be touched'),
        signal: stop.signal,
      });
      while (!signal.aborted) {
        const free = (await capacity().catch(() => 0)) - running.size;
        const jobs = free > 0 ? await boss.fetch<T>(queue, { batchSize: free }).catch(() => []) : [];
        for (const { id, retryCount, data } of jobs) start({ id, retryCount, data });
        if (free <= 0) await alarm.wait(FULL_MS, { clock, signal });
        else if (jobs.length < free) await alarm.wait(POLL_MS, { clock, signal });
      }
      await Promise.all([...running.values()].map(({ done }) => done));
      stop.abort();
      await touching;
    },

    async [Symbol.asyncDispose]() {
      await boss.stop({ graceful: false, close: true });
    },
  };
}

/** The jobs that were touched. The declarations of pg-boss leave them out. */
const TOUCHED = z.object({ settled: z.array(z.string()) });

interface Running {
  readonly job: JobAttempt;
  readonly lost: AbortController;
  readonly done: Promise<void>;
}

/** Executes the one statement of a call of pg-boss in a transaction. Its plan takes longer than its execution, so it is prepared at once. */
function prepared(trx: Executor, name: string): ReturnType<typeof fromKysely> {
  return {
    async executeSql(text, values = []) {
      const query: NamedQuery = { ...CompiledQuery.raw(text, values), name };
      return { rows: [...(await trx.executeQuery(query)).rows] };
    },
  };
}

function toAttempt({ id, retryCount }: JobAttempt): JobAttempt {
  return { id, retryCount };
}
