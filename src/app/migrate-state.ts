import { dirname, join, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Client } from 'pg';
import { ConfigError } from '#src/errors.ts';
import { silentLog } from '#src/log.ts';
import type { Config } from '#src/config/config.ts';
import { hasDataFile, keyFileOf } from '#src/config/data-directory.ts';
import { makeFolder } from '#src/config/make-folder.ts';
import { openConfig } from '#src/config/open-config.ts';
import { aboutAddress, cannotOpen, isPassing, locationOf } from '#src/store/postgres/cannot-open.ts';
import { isLostConnection, sqlStateOf } from '#src/store/postgres/database-error.ts';
import { movedPrefixOf } from '#src/store/postgres/migrate.ts';
import { quoted } from '#src/store/postgres/quoted.ts';
import { jobsSchemaOf } from '#src/store/postgres/schema.ts';
import { cannotWrite } from '#src/store/sqlite/cannot-open.ts';
import { removeDatabase } from '#src/store/sqlite/copy.ts';
import { openDatabase, useLog } from '#src/store/sqlite/open.ts';
import { isUnused } from '#src/store/sqlite/unused.ts';
import { openStore } from '#src/store/store.ts';
import { postgresSide } from '#src/store/transfer/postgres-side.ts';
import { sqliteSide } from '#src/store/transfer/sqlite-side.ts';
import { transfer, type TransferredTable } from '#src/store/transfer/transfer.ts';
import { STORED_TABLES, type TransferTarget } from '#src/store/transfer/state-tables.ts';
import { isAddress, migrationTarget, sqliteTarget } from './migration-target.ts';
import { savePictures } from './save-pictures.ts';
import { claimNow, keepUnconfirmed, placeState, retireState } from './state-file.ts';
import { refuseCutState, stateFileOf } from './stored-state.ts';

export interface MigrateRequest {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The address of a PostgreSQL database; `env:` and a variable, or `file:` and a file, with this address; or a folder or file for SQLite. */
  readonly to: string;
  /** The schema in PostgreSQL. */
  readonly schema?: string | undefined;
}

export interface MovedState {
  readonly direction: 'toPostgres' | 'toSqlite';
  readonly tables: readonly TransferredTable[];
  /** The new place, without a password. */
  readonly to: string;
  /** The name of the previous state, which Fanfare no longer uses. */
  readonly before: string;
  /** Whether the state has tokens, which only the same key opens. */
  readonly hasTokens: boolean;
  /** The file of the key; undefined if the key is in the environment. */
  readonly keyFile: string | undefined;
  /** The folder with the pictures of scheduled posts; undefined without pictures. */
  readonly pictures: string | undefined;
  /** The file that a start without `DATABASE_URL` opens; undefined if the state is in this file or in PostgreSQL. */
  readonly opens: string | undefined;
}

const SCHEMA = 'fanfare';
const UNCONFIRMED = 'the connection ended before PostgreSQL confirmed the move';
/** The code of PostgreSQL for a missing right. */
const INSUFFICIENT_PRIVILEGE = '42501';

/** Moves the state between SQLite and PostgreSQL. Fanfare must be stopped. After an error, the state is where it was. */
export async function migrateState({ environment, to, schema = SCHEMA }: MigrateRequest): Promise<MovedState> {
  const config = openConfig(environment);
  const target = migrationTarget(to, environment);
  const moving = isAddress(target) ? toPostgres(config, { url: target, schema }) : toSqlite(config, { path: target, schema });
  const moved = await moving.catch((error: unknown) => {
    // An error of a file has its path.
    if (error instanceof ConfigError || !isPassing(error) || (error instanceof Error && 'path' in error)) throw error;
    const hint = 'see that PostgreSQL runs, and run the command again';
    const file = isAddress(target) ? '--to' : 'DATABASE_URL';
    throw new ConfigError('the connection to PostgreSQL ended, and nothing was moved', { file, hint, cause: error });
  });
  const [keyFile, pictures] = [keyFileOf(config), picturesOf(config)];
  return {
    ...moved,
    hasTokens: moved.tables.some(({ name, rows }) => name === 'sealed_token' && rows > 0),
    keyFile: config.key === undefined && hasDataFile(keyFile) ? keyFile : undefined,
    pictures: hasDataFile(pictures) ? pictures : undefined,
    opens: moved.direction === 'toPostgres' || resolve(moved.to) === resolve(stateFileOf(config)) ? undefined : stateFileOf(config),
  };
}

function picturesOf({ dataDirectory }: Config): string {
  return join(dataDirectory, 'pictures');
}

type Moved = Pick<MovedState, 'direction' | 'tables' | 'to' | 'before'>;

async function toPostgres(config: Config, { url, schema }: { readonly url: string; readonly schema: string }): Promise<Moved> {
  const file = stateFileOf(config);
  if (!hasDataFile(file)) throw nothingToMove(file);
  refuseCutState(config);
  if (isUnused(file)) throw nothingToMove(file);
  using _sender = await claimNow(file);
  await using stack = new AsyncDisposableStack();
  const client = await openTransaction(stack, { url, schema }).catch((error: unknown) => Promise.reject(aboutAddress('--to', error)));
  const target = postgresSide(client);
  await requireEmpty(target, { file: locationOf(url), hint: 'drop the schema, or name another database' });
  await noteCopy(file);
  const database = openDatabase(file);
  stack.defer(() => void (database.isOpen && database.close()));
  const tables = await transfer({ from: sqliteSide(database), to: target, tables: STORED_TABLES });
  await commitCopy(client, { file, url, schema });
  database.close();
  return { direction: 'toPostgres', tables, to: locationOf(url), before: retireState(file, locationOf(url)) };
}

/** Commits the copy of a state that stays where it is until the database has confirmed it. */
async function commitCopy(
  client: Client,
  { file, url, schema }: { readonly file: string; readonly url: string; readonly schema: string },
): Promise<void> {
  try {
    await client.query('commit');
  } catch (error) {
    if (!isLostConnection(error)) throw error;
    // PostgreSQL may have committed. A start there would leave the file behind as a second state.
    const hint = `${file} is still the state. To run the command again, drop the schema ${schema} first if it exists`;
    throw new ConfigError(UNCONFIRMED, { file: locationOf(url), hint, cause: error });
  }
}

async function toSqlite(config: Config, { path, schema }: { readonly path: string; readonly schema: string }): Promise<Moved> {
  const url = config.databaseUrl;
  if (url === undefined)
    throw new ConfigError('the state is not in PostgreSQL', {
      file: 'DATABASE_URL',
      hint: 'set DATABASE_URL to the database of the state. To move the state to PostgreSQL instead, name the database: --to env:<variable>',
    });
  const file = sqliteTarget(path);
  makeFolder(dirname(file));
  using _sender = await claimNow(file);
  if (hasDataFile(file)) await requireEmptyFile(file);
  await using stack = new AsyncDisposableStack();
  const client = await openTransaction(stack, { url, schema, isSource: true });
  // The answer would say to put an empty file in the place of the state.
  if ((await postgresSide(client).filled()).length === 0) throw noStateIn(config);
  const partial = `${file}.migrating`;
  stack.defer(() => removeDatabase(partial));
  const tables = await fillFile(partial, (database) =>
    transfer({ from: postgresSide(client), to: sqliteSide(database), tables: STORED_TABLES }),
  );
  await savePictures(client, picturesOf(config));
  const before = `${movedPrefixOf(schema)}${Date.now()}`;
  await retireSchema(client, { schema, before });
  placeState(partial, file);
  await commitMove(client, { file, before });
  return { direction: 'toSqlite', tables, to: file, before };
}

function nothingToMove(file: string): ConfigError {
  return new ConfigError('there is no state to move', { file, hint: 'set FANFARE_DATA to the folder of the state' });
}

function noStateIn(config: Config): ConfigError {
  const file = stateFileOf(config);
  const hint = hasDataFile(file)
    ? `to move ${file} to this database: npx fanfare migrate --to env:DATABASE_URL`
    : 'set DATABASE_URL to the database of the state';
  return new ConfigError('the database has no state to move', { file: 'DATABASE_URL', hint });
}

/** Notes a restore in a state that another program put back, like a start, because the file of the generation does not move. */
async function noteCopy(file: string): Promise<void> {
  await using store = await openStore({ file });
  await store.generation?.check();
}

interface MovedSchema {
  readonly schema: string;
  /** The name that the schema gets. */
  readonly before: string;
}

/** Renames the schema of the state. A missing right is noticed here, while the file is not in its place. */
async function retireSchema(client: Client, { schema, before }: MovedSchema): Promise<void> {
  try {
    await client.query(`alter schema ${quoted(schema)} rename to ${quoted(before)}`);
    await client.query(`drop schema if exists ${quoted(jobsSchemaOf(schema))} cascade`);
  } catch (error) {
    if (sqlStateOf(error) !== INSUFFICIENT_PRIVILEGE) throw error;
    const hint = "set DATABASE_URL to the address of the schema's owner, who may also create schemas in the database";
    throw new ConfigError(`the user of the database may not rename the schema ${schema}`, { file: 'DATABASE_URL', hint, cause: error });
  }
}

/** Commits while the file is in its place. After an error the file is not there, because two states would send everything twice. */
async function commitMove(client: Client, { file, before }: Pick<MovedSchema, 'before'> & { readonly file: string }): Promise<void> {
  try {
    await client.query('commit');
  } catch (error) {
    if (!isLostConnection(error)) {
      removeDatabase(file);
      throw error;
    }
    // PostgreSQL may have committed, and then the file is the only live state.
    throw new ConfigError(UNCONFIRMED, { file: 'DATABASE_URL', hint: keepUnconfirmed(file, before), cause: error });
  }
}

/** Begins a transaction in which no process of Fanfare can change the state. The end of the stack rolls it back. */
async function openTransaction(
  stack: AsyncDisposableStack,
  { url, schema, isSource = false }: { readonly url: string; readonly schema: string; readonly isSource?: boolean },
): Promise<Client> {
  const { followTimeline } = await import('#src/store/postgres/timeline.ts');
  const { connectDatabase } = await import('#src/store/postgres/open.ts');
  const { connectAlone } = await import('#src/store/postgres/connect-alone.ts');
  const connection = { url, schema, applicationName: 'fanfare migrate' };
  // A start would notice that the database lacks its last commits, but the state does not start here again.
  const timeline = isSource ? followTimeline(silentLog, { isRunning: false }) : undefined;
  await (await connectDatabase({ ...connection, check: timeline?.check, replacesMoved: !isSource }))[Symbol.asyncDispose]();
  const client = await connectAlone(connection).catch((error: unknown) => Promise.reject(cannotOpen(url, error)));
  stack.defer(() => client.end());
  await client.query('begin isolation level repeatable read');
  await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0');
  await client.query('lock table rule_state, delivery in access exclusive mode');
  const { rows } = await client.query<{ readonly id: string }>('select id from worker where seen_ms > now_ms() - 60000 order by id');
  if (rows.length === 0) return client;
  const running = rows.map(({ id }) => id).join(', ');
  throw new ConfigError(`workers use this database: ${running}`, {
    file: locationOf(url),
    hint: 'stop all workers, gateways and web processes first; Fanfare counts a killed process for one minute',
  });
}

async function requireEmpty(target: TransferTarget, at: { readonly file: string; readonly hint: string }): Promise<void> {
  const filled = await target.filled();
  if (filled.length > 0) throw new ConfigError(`the target already has a state (${filled.join(', ')})`, at);
}

async function requireEmptyFile(file: string): Promise<void> {
  const database = openDatabase(file);
  try {
    await requireEmpty(sqliteSide(database), { file, hint: 'move this file away, or name another folder' });
  } finally {
    database.close();
  }
}

/** Fills a new database file in one transaction. After an error, there is no file. */
async function fillFile<T>(file: string, fill: (database: DatabaseSync) => Promise<T>): Promise<T> {
  removeDatabase(file);
  const database = openDatabase(file);
  try {
    database.exec('begin immediate');
    const result = await fill(database);
    database.exec('commit; pragma journal_mode = delete');
    // A file without a write-ahead log would pass for a backup.
    useLog(database);
    database.close();
    return result;
  } catch (error) {
    database.close();
    removeDatabase(file);
    throw cannotWrite(file, error) ?? error;
  }
}
