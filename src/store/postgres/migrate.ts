import type { Pool, PoolClient } from 'pg';
import { ConfigError } from '#src/errors.ts';
import { newestVersion, nextStep, refuseOlder, type OnMigrate, type Schema, type SchemaVersion } from '../schema/versions.ts';
import { tooNew } from './cannot-open.ts';
import { isCollision } from './database-error.ts';
import { quoted } from './quoted.ts';
import { DEAD_AFTER_MS } from './workers.ts';

export interface PostgresVersion extends SchemaVersion {
  /** The oldest version whose programs still work with this schema. */
  readonly worksWith: number;
}

export interface MigrateOptions {
  /** The name of the schema. */
  readonly schema: string;
  readonly versions: Schema<PostgresVersion>;
  readonly onMigrate?: OnMigrate | undefined;
  /** Whether a state may be created although `fanfare migrate` moved an earlier one from this database to a file. */
  readonly replacesMoved?: boolean | undefined;
}

/** PostgreSQL 15. */
const OLDEST_SERVER = 150_000;

/** A migrated database. */
export interface Migrated {
  /** The version of the server, for example `18.4`. */
  readonly server: string;
  /** The version of the schema. */
  readonly version: number;
}

/** The version of a stored schema. */
interface StoredVersion {
  readonly version: number;
  readonly worksWith: number;
}

/** Migrates the schema to the newest version, in one transaction. Several processes may do so at once. */
export async function migrate(pool: Pool, options: MigrateOptions): Promise<Migrated> {
  const { schema, versions } = options;
  const client = await pool.connect();
  let isDone = false;
  try {
    const server = await findServer(client);
    let stored = await findVersion(client, schema);
    refuseOlder(stored.version, versions, 'DATABASE_URL');
    if (stored.version < newestVersion(versions)) stored = await migrateBesideOthers(client, options);
    if (stored.worksWith > newestVersion(versions)) throw tooNew(stored.version, newestVersion(versions));
    // A failed move from the file to this database leaves an empty schema.
    if (!options.replacesMoved && !(await hasStarted(client, schema))) await refuseMoved(client, schema);
    isDone = true;
    return { server, version: stored.version };
  } finally {
    client.release(!isDone);
  }
}

const NO_VERSION: StoredVersion = { version: 0, worksWith: 0 };

/** The version of the schema; 0 without a schema. */
async function findVersion(client: Pick<PoolClient, 'query'>, schema: string): Promise<StoredVersion> {
  const table = `${quoted(schema)}.schema_version`;
  // to_regclass can answer from a cache that does not know a table of another process.
  const { rows: found } = await client.query("select 1 from pg_tables where schemaname = $1 and tablename = 'schema_version'", [schema]);
  if (found.length === 0) return NO_VERSION;
  const { rows } = await client.query<StoredVersion>(
    `select coalesce(max(version), 0) as version, coalesce(max(works_with), 0) as "worksWith" from ${table}`,
  );
  return rows[0] ?? NO_VERSION;
}

/** Whether Fanfare has started with the state. */
async function hasStarted(client: PoolClient, schema: string): Promise<boolean> {
  // A state of an earlier version has no environment.
  const { rows: tables } = await client.query<{ readonly name: string }>(
    "select tablename as name from pg_tables where schemaname = $1 and tablename in ('rule_state', 'environment')",
    [schema],
  );
  const filled = tables.map(({ name }) => `exists (select 1 from ${quoted(schema)}.${name})`);
  const { rows } = await client.query<{ readonly started: boolean }>(`select ${filled.join(' or ')} as started`);
  return rows[0]?.started === true;
}

/** The version of the server; throws if it is too old. */
async function findServer(client: PoolClient): Promise<string> {
  const { rows } = await client.query<{ readonly number: number; readonly name: string }>(
    "select current_setting('server_version_num')::integer as number, current_setting('server_version') as name",
  );
  const [{ number, name } = { number: 0, name: 'unknown' }] = rows;
  if (number < OLDEST_SERVER) throw tooOld(name);
  return name;
}

/** The longest timer. Neither the server nor the client ends a statement that rewrites a table or waits for the migration of another process. */
const unlimited = { query_timeout: 2 ** 31 - 1 };

/** PostgreSQL ends the migration if it and the work of a running process wait for each other. */
const ATTEMPTS = 10;

async function migrateBesideOthers(client: PoolClient, options: MigrateOptions): Promise<StoredVersion> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await migrateLocked(client, options);
    } catch (error) {
      if (attempt === ATTEMPTS || !isCollision(error)) throw error;
    }
  }
}

async function migrateLocked(
  client: PoolClient,
  { schema, versions, onMigrate, replacesMoved = false }: MigrateOptions,
): Promise<StoredVersion> {
  await client.query('begin');
  try {
    await client.query('set local statement_timeout = 0');
    const lock = { text: "select pg_advisory_xact_lock(hashtextextended('migrate ' || $1, 0))", values: [schema] };
    await client.query({ ...lock, ...unlimited });
    // Another process may have migrated it in the meantime.
    const { version: from } = await findVersion(client, schema);
    if (from === 0) {
      if (!replacesMoved) await refuseMoved(client, schema);
      await createSchema(client, schema);
    } else
      await refuseWhileOlderRun(
        client,
        Math.max(0, ...versions.migrations.slice(from - versions.base.version).map(({ worksWith }) => worksWith)),
      );
    const to = newestVersion(versions);
    if (from > 0 && from < to) onMigrate?.({ from, to });
    for (let next = nextStep(versions, from); next; next = nextStep(versions, next.version)) {
      await client.query({ text: next.sql, ...unlimited });
      await client.query('insert into schema_version (version, works_with) values ($1, $2)', [next.version, next.worksWith]);
    }
    const stored = await findVersion(client, schema);
    await client.query('commit');
    return stored;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** Throws if processes run whose programs do not know `oldest`. No process joins until the transaction ends. */
async function refuseWhileOlderRun(client: PoolClient, oldest: number): Promise<void> {
  await client.query('lock table worker in exclusive mode');
  const { rows } = await client.query<{ readonly id: string }>(
    'select id from worker where schema_version < $1 and seen_ms > now_ms() - $2 order by id',
    [oldest, DEAD_AFTER_MS],
  );
  if (rows.length === 0) return;
  throw new ConfigError(
    `processes of an older Fanfare run on the database, and they do not work with its new schema: ${rows.map(({ id }) => id).join(', ')}`,
    { file: 'DATABASE_URL', hint: 'update or stop them, and start this process again' },
  );
}

/** The beginning of the name of a schema whose state was moved to a file. The time of the move follows. */
export function movedPrefixOf(schema: string): string {
  return `${schema}_moved_`;
}

/** Throws if the state was moved to a file. A process that still uses the database would begin an empty state, and repeat announcements. */
async function refuseMoved(client: PoolClient, schema: string): Promise<void> {
  const { rows } = await client.query<{ readonly name: string }>(
    'select nspname as name from pg_namespace where starts_with(nspname, $1) order by nspname desc',
    [movedPrefixOf(schema)],
  );
  const [moved] = rows;
  if (!moved) return;
  throw new ConfigError(`the state was moved from this database to a file, and its schema is now named ${moved.name}`, {
    file: 'DATABASE_URL',
    hint: `unset DATABASE_URL, and run Fanfare only where the file is. To begin without a state, drop the schema ${moved.name}`,
  });
}

async function createSchema(client: PoolClient, schema: string): Promise<void> {
  const { rows } = await client.query('select 1 from pg_namespace where nspname = $1', [schema]);
  // An administrator can create the schema for a user who may not.
  if (rows.length === 0) await client.query(`create schema ${quoted(schema)}`);
  await client.query('create table schema_version (version integer primary key, works_with integer not null)');
}

function tooOld(server: string): ConfigError {
  return new ConfigError(`PostgreSQL ${server} is too old`, {
    file: 'DATABASE_URL',
    hint: 'use PostgreSQL 15 or newer',
  });
}
