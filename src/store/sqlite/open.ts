import { mkdirSync, chmodSync, closeSync, openSync, statSync, type Stats } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite';
import { codeOf, ConfigError } from '#src/errors.ts';
import { cannotOpen, damaged, foreign, makeWritable, type Role } from './cannot-open.ts';
import { clearDamage, fileCheckOf, noteDamage, type UnclosedFile } from './file-check.ts';
import { newestVersion, refuseOlder, type OnMigrate } from '../schema/versions.ts';
import { migrate, versionOf } from './migrate.ts';
import { SCHEMA } from './schema.ts';
import { letShrink } from './shrink.ts';
import { forOwner, isForOthers } from '#src/http/secrets/modes.ts';
import { isSystemError } from '#src/rules/document/read-text-file.ts';

/** The name of a database in memory. */
export const MEMORY = ':memory:';

/** How long a process waits for another writer. */
const BUSY_MS = 5_000;

export interface OpenOptions {
  /** Runs if the database had no tables. */
  readonly onEmpty?: (() => void) | undefined;
  readonly onMigrate?: OnMigrate | undefined;
  /**
   * Runs if the file is a copy: `fanfare backup` writes files without a write-ahead log, and a state has one. The caller notes the restore, and
   * then calls `useLog`. Without it, a copy is opened like a state.
   */
  readonly onCopy?: (() => void) | undefined;
  /**
   * Whether to look for damage in the whole file, which takes seconds for a million deliveries. Without it, SQLite reports damage in the
   * pages that a statement reads.
   */
  readonly isChecked?: boolean | undefined;
  /** If present, a large file is not checked here. Runs if the last process did not close it, so that the caller checks it in the background. */
  readonly onUnclosed?: ((unclosed: UnclosedFile) => void) | undefined;
}

/** Opens the database in `file` in its newest version. A missing file is created. Commits survive a loss of power. */
export function openDatabase(file: string, { onEmpty, onMigrate, onCopy, isChecked = true, onUnclosed }: OpenOptions = {}): DatabaseSync {
  const check = onUnclosed ? fileCheckOf(file) : 'first';
  const database = openFile(file);
  try {
    // A migration rewrites tables, so it needs a sound file.
    if ((isChecked && check === 'first') || versionOf(database) < newestVersion(SCHEMA)) requireSound(database, file);
    else requireOurs(database, file);
    const isEmpty = tablesIn(database).length === 0;
    if (isEmpty) onEmpty?.();
    const isCopy = onCopy !== undefined && file !== MEMORY && !isEmpty && !hasLog(database);
    // A deleted conversation must not stay readable in unused pages, which a backup copies.
    database.exec('pragma secure_delete = on');
    letShrink(database);
    database.exec('pragma synchronous = full');
    if (!isCopy) useLog(database);
    // Node has it since 24.16.
    if (file === MEMORY && 'deserialize' in database) database.deserialize((emptyState ??= createEmptyState()));
    else migrate(database, { file, schema: SCHEMA, onMigrate });
    if (onUnclosed && check === 'first') clearDamage(file);
    if (check === 'background') onUnclosed?.({ file, noteDamage: () => noteDamage(file) });
    if (isCopy) onCopy();
    return database;
  } catch (error) {
    database.close();
    throw cannotOpen(file, error);
  }
}

/** Gives a database a write-ahead log. */
export function useLog(database: DatabaseSync): void {
  database.exec('pragma journal_mode = wal');
}

function hasLog(database: DatabaseSync): boolean {
  return database.prepare('pragma journal_mode').get()?.['journal_mode'] === 'wal';
}

let emptyState: Uint8Array | undefined;

/** A state without rows. A copy takes a sixth of the time of a new one. */
function createEmptyState(): Uint8Array {
  using database = new DatabaseSync(MEMORY);
  letShrink(database);
  migrate(database, { file: MEMORY, schema: SCHEMA });
  return database.serialize();
}

/** Throws for a damaged database and for one of another program. */
export function requireSound(database: DatabaseSync, file: string, role?: Role): void {
  // Another process may create the tables of a new file at this moment, so all reads see one state of it.
  database.exec('begin');
  try {
    tablesIn(database);
    const [fault] = Object.values(database.prepare('pragma quick_check(1)').get() ?? {});
    if (fault !== 'ok') throw damaged(file, role);
    requireOurs(database, file, role);
  } finally {
    // A serious error has ended it already.
    if (database.isTransaction) database.exec('rollback');
  }
}

/** Throws for the database of another program. */
function requireOurs(database: DatabaseSync, file: string, role: Role = 'state'): void {
  const tables = tablesIn(database);
  const isOurs = tables.includes('rule_state') || versionOf(database) > newestVersion(SCHEMA);
  // A new state has no tables. A backup always has some.
  if ((tables.length > 0 || role === 'backup') && !isOurs) throw foreign(file, role);
  refuseOlder(versionOf(database), SCHEMA, file);
}

function tablesIn(database: DatabaseSync): readonly unknown[] {
  return database
    .prepare("select name from sqlite_schema where type = 'table'")
    .all()
    .map(({ name }) => name);
}

function openFile(file: string): DatabaseSync {
  try {
    if (file !== MEMORY) {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      restrictFolder(file);
    }
    return openForOwner(file, { timeout: BUSY_MS, enableForeignKeyConstraints: true });
  } catch (cause) {
    const code = isSystemError(cause) ? `${cause.code}: ` : '';
    throw new ConfigError('the state cannot be stored here', { file, hint: `${code}${makeWritable(file)}`, cause });
  }
}

/** Opens a database that only its owner can read. SQLite gives its other files the same mode. */
export function openForOwner(file: string, options: DatabaseSyncOptions): DatabaseSync {
  if (file !== MEMORY) restrictFile(file);
  return new DatabaseSync(file, options);
}

const STICKY_BIT = 0o1000;

/** Creates an empty file for its owner alone, or restricts an existing one and the files that SQLite puts beside it. */
function restrictFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    // Closing a file would release the locks of SQLite for the whole process, so nothing is opened here.
    for (const path of [file, `${file}-wal`, `${file}-shm`]) tighten(path);
  }
}

/** Restricts the folder of a file, unless it is shared or contains the working directory. */
function restrictFolder(file: string): void {
  const folder = resolve(dirname(file));
  const way = relative(folder, process.cwd());
  const isAround = way === '' || !way.startsWith('..');
  if (!isAround) tighten(folder, ({ mode }) => (mode & STICKY_BIT) === 0);
}

function tighten(path: string, isMeant: (stats: Stats) => boolean = () => true): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats || !isForOthers(stats.mode) || stats.uid !== process.getuid?.() || !isMeant(stats)) return;
  try {
    chmodSync(path, forOwner(stats.mode));
  } catch {
    // The disk has no modes.
  }
}
