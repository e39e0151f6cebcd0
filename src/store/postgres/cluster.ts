import { sql } from 'kysely';
import { isBeforeRelease, systemClock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import { createSharedAgenda } from './agenda.ts';
import type { SharedAgenda } from '#src/engine/scheduler/shared-agenda.ts';
import { cannotOpen, ClockBeforeRelease, isPassing } from './cannot-open.ts';
import { asShared } from './shared-tables.ts';
import { connectAlone } from './connect-alone.ts';
import type { StatementWatch } from './dialect.ts';
import { openDatabaseClock, type DatabaseClock } from './database-clock.ts';
import { openJobs } from './jobs.ts';
import { createLaneJobs } from './lane-jobs.ts';
import { createSharedLanes, type SharedLanes } from './lanes.ts';
import { openNotifications, type Notifications } from './notifications.ts';
import { connectDatabase, storeIn, type PostgresStore } from './open.ts';
import { newestVersion, type OnMigrate } from '../schema/versions.ts';
import { jobsSchemaOf, SCHEMA } from './schema.ts';
import { createProbe, type Probe, type ProbeHealth } from './probe.ts';
import { setLeasesBack } from './set-leases-back.ts';
import { followTimeline } from './timeline.ts';
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
  readonly health?: ProbeHealth | undefined;
  /** Called before each wait for a database that cannot be opened now. Absent: the first failure is thrown. */
  readonly onWait?: ((why: string) => void) | undefined;
  readonly onMigrate?: OnMigrate | undefined;
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
  /** Whether this process continues the state: it is the first one, or the clock of the database was set back, and all processes start again. */
  readonly continues: boolean;
  /** Keeps the clock, the signs of life, the probe and the notifications until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/** The pause between two attempts to open a database. */
const OPEN_AGAIN_MS = 2_000;

/** A smaller step back of the clock is waited out. */
const SET_BACK_MS = 10_000;

const UNWATCHED: ProbeHealth = { accepted: () => undefined, blocked: () => undefined, lost: () => undefined, failed: () => undefined };

/** Joins the processes that share a state in PostgreSQL. Throws `ConfigError` if an operator can fix the reason of a failure. */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  for (;;) {
    try {
      return await join(options);
    } catch (failure) {
      const error = cannotOpen(options.url, failure);
      if (!options.onWait || !(error instanceof Error) || !isPassing(error)) throw error;
      options.onWait(error.message);
      await systemClock.sleep(OPEN_AGAIN_MS);
    }
  }
}

async function join({ url, schema, worker, role, keyFingerprint, health = UNWATCHED, onMigrate, log }: ClusterOptions): Promise<Cluster> {
  await using stack = new AsyncDisposableStack();
  const timeline = followTimeline(log);
  const applicationName = `fanfare ${worker}`;
  // The probe needs the connected database.
  const later: { probe?: Probe } = {};
  const watch: StatementWatch = { answered: () => later.probe?.answered(), failed: (cause) => later.probe?.failed(cause) };
  const connected = stack.use(await connectDatabase({ url, schema, applicationName, watch, check: (db) => timeline.check(db), onMigrate }));
  const db = asShared(connected.db);
  const clock = await openDatabaseClock(connected.db);
  if (isBeforeRelease(clock.nowMs())) throw new ClockBeforeRelease(clock.nowMs());
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
  const isSetBack = (await store.storedClock.aheadMs()) >= SET_BACK_MS;
  if (isSetBack) await setLeasesBack(db, jobsSchema);
  const workers = stack.use(await joinWorkers({ db, id: worker, role, schemaVersion: newestVersion(SCHEMA), keyFingerprint, clock, log }));
  const continues = workers.wasAlone || isSetBack;
  health.accepted(clock.nowMs());
  const probe = createProbe({
    connect: (limits) => connectAlone({ url, schema: connected.schema, applicationName }, limits),
    async write(client) {
      const atMs = await workers.sign(client);
      await timeline.follow(client);
      return atMs;
    },
    health,
    clock,
  });
  later.probe = probe;
  const opened = stack.move();
  return {
    store,
    clock,
    notifications,
    workers,
    continues,
    lanes: createSharedLanes({ db, jobs, notifications, worker, share: () => workers.share(), clock, log }),
    agenda: createSharedAgenda({ db, jobs, jobsSchema, wasDown: continues, clock, log }),
    run: async (signal) => void (await Promise.all([clock.run(signal), notifications.run(signal), workers.run(signal), probe.run(signal)])),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
