import { sql } from 'kysely';
import type { DatabaseHealth } from '#src/queries/database-health.ts';
import type { Log } from '#src/log.ts';
import { createSharedAgenda } from './agenda.ts';
import type { SharedAgenda } from '#src/scheduler/shared-agenda.ts';
import { cannotOpen } from './cannot-open.ts';
import { asCluster } from './cluster-tables.ts';
import { openDatabaseClock, type DatabaseClock } from './database-clock.ts';
import { openJobs } from './jobs.ts';
import { createLaneJobs } from './lane-jobs.ts';
import { createSharedLanes, type SharedLanes } from './lanes.ts';
import { openNotifications, type Notifications } from './notifications.ts';
import { connectDatabase, storeIn, type PostgresStore } from './open.ts';
import { jobsSchemaOf, SCHEMA } from './schema.ts';
import { createTimelineCheck } from './timeline.ts';
import { joinWorkers, type Workers } from './workers.ts';

export interface ClusterOptions {
  readonly url: string;
  readonly schema?: string | undefined;
  /** The id of this process. */
  readonly worker: string;
  readonly role: string;
  /** By which processes compare their keys; absent without a key. */
  readonly keyFingerprint?: string | undefined;
  /** Receives what the connections learn about the database. */
  readonly health?: DatabaseHealth | undefined;
  readonly log: Log;
}

/** A store that several processes share, and their distribution of work. */
export interface Cluster extends AsyncDisposable {
  readonly store: PostgresStore;
  readonly clock: DatabaseClock;
  readonly lanes: SharedLanes;
  readonly agenda: SharedAgenda;
  readonly notifications: Notifications;
  readonly workers: Workers;
  /** Keeps the clock, the signs of life and the notifications until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/** Joins the processes that share a state in PostgreSQL. Throws `ConfigError` if an operator can fix the reason of a failure. */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  try {
    return await join(options);
  } catch (error) {
    throw cannotOpen(options.url, error);
  }
}

async function join({ url, schema, worker, role, keyFingerprint, health, log }: ClusterOptions): Promise<Cluster> {
  await using stack = new AsyncDisposableStack();
  const check = createTimelineCheck(log);
  const connected = stack.use(await connectDatabase({ url, schema, applicationName: `fanfare ${worker}`, health, check }));
  const db = asCluster(connected.db);
  const clock = await openDatabaseClock(connected.db);
  const channel = connected.schema;
  const notifications = openNotifications({
    url,
    channel,
    worker,
    async notify(payload) {
      await sql`select pg_notify(${channel}, ${payload})`.execute(db);
    },
    clock,
    log,
  });
  const jobsSchema = jobsSchemaOf(connected.schema);
  const jobs = await openJobs({ url, schema: jobsSchema, clock, log });
  const store = stack.use(storeIn(connected, { clock, laneJobs: createLaneJobs({ jobs, notifications }) }));
  stack.use(jobs);
  stack.use(notifications);
  const workers = stack.use(await joinWorkers({ db, id: worker, role, schemaVersion: SCHEMA.length, keyFingerprint, clock, log }));
  const opened = stack.move();
  return {
    store,
    clock,
    notifications,
    workers,
    lanes: createSharedLanes({ db, jobs, notifications, worker, share: () => workers.share(), clock, log }),
    agenda: createSharedAgenda({ db, jobs, jobsSchema, wasDown: workers.wasAlone, clock, log }),
    run: async (signal) => void (await Promise.all([clock.run(signal), notifications.run(signal), workers.run(signal)])),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
