import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#src/config/config.ts';
import type { Store } from '#src/store/store.ts';
import { makeDataDirectory } from '#src/config/data-directory.ts';

/** Whether the program ever ran here. */
export function hasStoredState(config: Config): boolean {
  return existsSync(fileOf(config));
}

/** Makes a place for what the program keeps, where it never ran. */
export async function makeStoredState(config: Config): Promise<void> {
  const { openStore } = await import('#src/store/store.ts');
  await makeDataDirectory(config);
  await using _made = await openStore({ file: fileOf(config) });
}

/** Lets `use` look at what the program keeps, or kept when it ran last; an installation that never ran has an empty state. */
export async function withStoredState<T>(config: Config, use: (store: Store) => Promise<T>): Promise<T> {
  const { openStore } = await import('#src/store/store.ts');
  // Where there is none, none is made.
  await using store = await openStore(hasStoredState(config) ? { file: fileOf(config) } : {});
  return await use(store);
}

function fileOf({ dataDirectory }: Config): string {
  return join(dataDirectory, 'fanfare.sqlite');
}
