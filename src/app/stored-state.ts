import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '#src/errors.ts';
import type { Config } from '#src/config/config.ts';
import type { Store, StoreOptions } from '#src/store/store.ts';
import { hasDataFile, makeDataDirectory } from '#src/config/data-directory.ts';

interface OpenStateOptions extends Omit<StoreOptions, 'file'> {
  /** Whether the caller replaces a running process, and so may migrate a state file that this process uses. */
  readonly replacesRunning?: boolean;
}

/** Opens the store of an installation, in PostgreSQL or in the data directory. */
export async function openState(
  config: Pick<Config, 'dataDirectory' | 'databaseUrl'>,
  { replacesRunning = false, ...options }: OpenStateOptions = {},
): Promise<Store> {
  if (config.databaseUrl !== undefined) {
    const { openPostgresStore } = await import('#src/store/postgres/open.ts');
    const store = await openPostgresStore({ url: config.databaseUrl, clock: options.clock, onMigrate: options.onMigrate });
    await refuseUnmovedState(config, store);
    return store;
  }
  const { openStore } = await import('#src/store/store.ts');
  refuseCutState(config);
  refuseMovedState(config);
  const file = stateFileOf(config);
  const { claimToMigrate } = await import('./state-file.ts');
  using _sender = replacesRunning ? undefined : await claimToMigrate(file);
  return await openStore({ file, ...options });
}

/** Throws if the file of the state is empty although Fanfare ran here. SQLite would begin a new state, and delete the log of changes. */
export function refuseCutState(config: Pick<Config, 'dataDirectory'>): void {
  const file = stateFileOf(config);
  if (!hasDataFile(file) || statSync(file).size !== 0) return;
  // The first start creates the file, and a loss of power can end it there. Everything else is created later.
  const rest = readdirSync(config.dataDirectory).find((name) => /^(?:key|pictures|fanfare\.sqlite[.-](?!journal$).*)$/u.test(name));
  if (rest === undefined) return;
  throw new ConfigError(`the state was lost: its file is empty, although ${rest} is beside it`, {
    file,
    hint: 'restore a backup with npx fanfare restore <file>, or delete the empty file to begin without a state',
  });
}

/** How to continue with a state that has another name, by the name: the most certain one first. */
const MOVED_STATES: readonly (readonly [name: RegExp, remedy: string])[] = [
  [
    /^fanfare\.sqlite\.moved-[^.]+Z$/u,
    'set DATABASE_URL to the database with the moved state; rename the file back only if Fanfare has not run there',
  ],
  [/^fanfare\.sqlite\.unconfirmed$/u, 'set DATABASE_URL if the database still has the state, or rename the file back'],
  [/^fanfare\.sqlite\.restoring$/u, 'run npx fanfare restore <file> again, which was interrupted'],
  [/^fanfare\.sqlite\.before-[^.]+Z$/u, 'run npx fanfare restore <file> again, or rename the file back'],
];

/** Throws if there is no state, but one that `fanfare migrate` or `fanfare restore` renamed. A new state would repeat announcements. */
function refuseMovedState(config: Pick<Config, 'dataDirectory' | 'databaseUrl'>): void {
  const file = stateFileOf(config);
  if (config.databaseUrl !== undefined || hasDataFile(file)) return;
  const names = namesIn(config.dataDirectory);
  for (const [pattern, remedy] of MOVED_STATES) {
    const name = names.findLast((found) => pattern.test(found));
    if (name === undefined) continue;
    const hint = `${remedy}. To begin without a state, move ${name} to another folder`;
    throw new ConfigError(`the state is missing, but ${name} exists`, { file, hint });
  }
}

/** Throws, and closes the store, if a new database is used beside the state of an earlier installation. It would repeat announcements. */
export async function refuseUnmovedState(
  config: Pick<Config, 'dataDirectory'>,
  store: Pick<Store, 'ruleStates'> & AsyncDisposable,
): Promise<void> {
  const file = stateFileOf(config);
  if (!hasDataFile(file) || (await store.ruleStates.lastSlots()).size > 0) return;
  await store[Symbol.asyncDispose]();
  throw new ConfigError('DATABASE_URL is set and its database has no state, but this file is a state', {
    file,
    hint: 'stop Fanfare and move the state with npx fanfare migrate --to env:DATABASE_URL, or unset DATABASE_URL. To begin without a state, move the file to another folder',
  });
}

/** The names in a folder; none if it cannot be read, which the opening of the state reports. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}

/** Whether an installation has stored state. */
export function hasStoredState(config: Config): boolean {
  return config.databaseUrl !== undefined || hasDataFile(stateFileOf(config));
}

/** Whether commands can read the stored state. They do not migrate the file of a running process. */
export async function isStateReadable(config: Config): Promise<boolean> {
  if (!hasStoredState(config)) return false;
  return !(await isStateSkipped(config));
}

/** Whether there is a state file that commands cannot read, because Fanfare runs with an older format of it. */
export async function isStateSkipped(config: Pick<Config, 'dataDirectory' | 'databaseUrl'>): Promise<boolean> {
  if (config.databaseUrl !== undefined) return false;
  const { isRunningOlder } = await import('./state-file.ts');
  return isRunningOlder(stateFileOf(config));
}

/** Creates the store of a new installation. */
export async function makeStoredState(config: Config): Promise<void> {
  await makeDataDirectory(config);
  await using _made = await openState(config);
}

/** Calls `use` with the store of an installation. A new installation has an empty store in memory. */
export async function withStoredState<T>(config: Config, use: (store: Store) => Promise<T>): Promise<T> {
  const { openStore } = await import('#src/store/store.ts');
  refuseMovedState(config);
  // Reading does not create a file.
  await using store = await (hasStoredState(config) ? openState(config, { isChecked: false }) : openStore());
  return await use(store);
}

/** The file of the state of an installation without `DATABASE_URL`. */
export function stateFileOf({ dataDirectory }: Pick<Config, 'dataDirectory'>): string {
  return join(dataDirectory, 'fanfare.sqlite');
}
