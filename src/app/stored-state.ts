import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#src/config/config.ts';
import type { Store } from '#src/store/store.ts';
import { makeDataDirectory } from '#src/config/data-directory.ts';

/** Whether an installation has stored state. */
export function hasStoredState(config: Config): boolean {
  return existsSync(fileOf(config));
}

/** Creates the store of a new installation. */
export async function makeStoredState(config: Config): Promise<void> {
  const { openStore } = await import('#src/store/store.ts');
  await makeDataDirectory(config);
  await using _made = await openStore({ file: fileOf(config) });
}

/** Calls `use` with the store of an installation. A new installation has an empty store in memory. The start of Fanfare checks the whole file. */
export async function withStoredState<T>(config: Config, use: (store: Store) => Promise<T>): Promise<T> {
  const { openStore } = await import('#src/store/store.ts');
  // Reading does not create a file.
  await using store = await openStore(hasStoredState(config) ? { file: fileOf(config), isChecked: false } : {});
  return await use(store);
}

function fileOf({ dataDirectory }: Config): string {
  return join(dataDirectory, 'fanfare.sqlite');
}
