import { Kysely } from 'kysely';
import type { Clock } from '#src/clock.ts';
import { createLimiter } from '#src/clients/operation/limiter.ts';
import type { SharedPictures } from '#src/engine/posting/pictures.ts';
import type { RuleVersions } from '#src/engine/rule-sets/rule-versions.ts';
import { assembleStore, type Store } from '#src/store/assemble.ts';
import type { CreateLock } from '#src/store/process-lock.ts';
import { createPruner } from '#src/store/prune.ts';
import type { OnMigrate } from '#src/store/schema/versions.ts';
import type { LaneJobs } from '#src/store/lane-jobs.ts';
import type { Tables } from '#src/store/tables.ts';
import { inTransaction } from '#src/store/transaction.ts';
import { createAdvisoryLock, runAlone } from './advisory-lock.ts';
import { cannotOpen } from './cannot-open.ts';
import { connectAlone } from './connect-alone.ts';
import { openDatabaseClock } from './database-clock.ts';
import { postgresDialect, type ConnectionCheck, type StatementWatch } from './dialect.ts';
import { migrate, type Migrated } from './migrate.ts';
import { createPool } from './pool.ts';
import { createHandledEvents } from './handled-events.ts';
import { createSharedOpenAnswers } from './open-answers.ts';
import { createRateBudgets } from './rate-budgets.ts';
import { createRuleVersions } from './rule-versions.ts';
import { createSharedPictures } from './shared-pictures.ts';
import { jobsSchemaOf, SCHEMA } from './schema.ts';
import { requireRights } from './rights.ts';
import { requireSessions } from './session.ts';
import { createShardTable } from './shard-table.ts';
import { withoutSync } from './without-sync.ts';
import { findWriteProblem } from './write-problem.ts';
import { asShared } from './shared-tables.ts';
import { workersWithOtherKey } from './workers.ts';

export interface PostgresStoreOptions {
  /** For example `postgres://fanfare:secret@db.example/fanfare`. */
  readonly url: string;
  readonly schema?: string | undefined;
  /** Default: the clock of the database. */
  readonly clock?: Clock | undefined;
  /** The name of this process in `pg_stat_activity`. */
  readonly applicationName?: string | undefined;
  readonly maxConnections?: number | undefined;
  readonly onMigrate?: OnMigrate | undefined;
  /** See `MigrateOptions`. */
  readonly replacesMoved?: boolean | undefined;
  readonly watch?: StatementWatch | undefined;
  /** Runs on each new connection before any other statement. */
  readonly check?: ConnectionCheck | undefined;
}

/** A connected database in its newest version. Its disposal ends the connections. */
export interface Connected extends Migrated, AsyncDisposable {
  readonly db: Kysely<Tables>;
  readonly url: string;
  readonly schema: string;
  readonly applicationName: string;
}

/** A store in PostgreSQL, and what other parts of Fanfare need to work in its transactions. */
export interface PostgresStore extends Store, Migrated {
  readonly discord: NonNullable<Store['discord']>;
  readonly pictures: SharedPictures;
  readonly db: Kysely<Tables>;
  readonly schema: string;
  readonly ruleVersions: RuleVersions;
  /** Why the database accepts no writes, see `DatabaseState.code`; undefined: it accepts one now. */
  findWriteProblem(): Promise<string | undefined>;
}

/** Connections of one process. Statements are short, so a few connections carry the work of many rules and accounts. */
const MAX_CONNECTIONS = 10;

/** Commits of slots at once. They leave connections for the deliveries of slots that are committed. */
const MAX_WRITES = 5;

/** Opens the store in a PostgreSQL schema, and migrates it to the newest version. */
export async function openPostgresStore({ clock, ...options }: PostgresStoreOptions): Promise<PostgresStore> {
  await using stack = new AsyncDisposableStack();
  const connected = stack.use(await connectDatabase(options));
  const store = storeIn(connected, { clock: clock ?? (await openDatabaseClock(connected.db)) });
  stack.move();
  return store;
}

/** Connects to a PostgreSQL schema, and migrates it to the newest version. */
export async function connectDatabase({
  url,
  schema = 'fanfare',
  applicationName = 'fanfare',
  maxConnections = MAX_CONNECTIONS,
  onMigrate,
  replacesMoved,
  watch,
  check,
}: Omit<PostgresStoreOptions, 'clock'>): Promise<Connected> {
  const pool = await createPool({ url, schema, applicationName, maxConnections });
  let migrated: Migrated;
  try {
    await requireSessions(pool);
    await requireRights(pool, [schema, jobsSchemaOf(schema)]);
    migrated = await migrate(pool, { schema, versions: SCHEMA, onMigrate, replacesMoved });
  } catch (error) {
    await pool.end();
    throw cannotOpen(url, error);
  }
  const db = new Kysely<Tables>({ dialect: postgresDialect(pool, { watch, check }) });
  // Without a first use, Kysely has no driver, and its disposal would leave the idle connection of the migration open.
  await db.connection().execute(async () => undefined);
  return { ...migrated, db, url, schema, applicationName, [Symbol.asyncDispose]: () => db.destroy() };
}

/** The store in a connected database. Its disposal ends the connections. */
export function storeIn(
  { db, url, schema, applicationName, server, version }: Connected,
  { clock, laneJobs }: { readonly clock: Clock; readonly laneJobs?: LaneJobs | undefined },
): PostgresStore {
  const acquire = createLimiter(MAX_WRITES);
  const createLock: CreateLock = (name, { idleMs } = {}) =>
    createAdvisoryLock({ connect: () => connectAlone({ url, schema, applicationName }), schema, name, clock, idleMs });
  const store = assembleStore({
    db,
    clock,
    laneJobs,
    async write(work, { mayBeLost = false } = {}) {
      const release = await acquire();
      try {
        return await inTransaction(db, mayBeLost ? withoutSync(work) : work);
      } finally {
        release();
      }
    },
    prune: createPruner({ db, clock, alone: (round) => runAlone(db, `${schema} prune`, round) }),
    createLock,
  });
  const ruleVersions = createRuleVersions({ db, schema, folderLock: createLock('rules folder') });
  const discord = { shards: createShardTable(db), handled: createHandledEvents({ db, clock }) };
  const rateBudgetsOf = (account: string) => createRateBudgets(db, account);
  const openAnswers = createSharedOpenAnswers(db);
  const pictures = createSharedPictures(db);
  const othersWithKey = (keyFingerprint: string | undefined) => workersWithOtherKey(asShared(db), keyFingerprint);
  return Object.assign(store, {
    findWriteProblem: () => findWriteProblem({ url, schema, applicationName }),
    pictures,
    workersWithOtherKey: othersWithKey,
    server,
    version,
    db,
    schema,
    ruleVersions,
    discord,
    openAnswers,
    rateBudgetsOf,
  });
}
