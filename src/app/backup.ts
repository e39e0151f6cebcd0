import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ConfigError } from '#src/errors.ts';
import { copyDatabase } from '#src/store/sqlite/copy.ts';
import { configFileOf, openConfig } from '#src/config/open-config.ts';
import { keyFileOf } from '#src/config/data-directory.ts';

export interface CopyRequest {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The copy. */
  readonly file: string;
}

/** A copy that was made. */
export interface Backup {
  readonly file: string;
  readonly bytes: number;
  /** The existing files of the installation that the copy does not contain. */
  readonly apart: readonly string[];
}

/** Copies the state of an installation, whether it runs or not. */
export async function backUp({ environment, file }: CopyRequest): Promise<Backup> {
  const config = openConfig(environment);
  const { dataDirectory, rulesDirectory } = config;
  const state = join(dataDirectory, 'fanfare.sqlite');
  if (!existsSync(state)) throw new ConfigError('there is no state to copy', { file: state, hint: 'set FANFARE_DATA to its folder' });
  if (resolve(file) === resolve(state)) throw new ConfigError('this is the state itself', { file, hint: 'name another file' });
  mkdirSync(dirname(file), { recursive: true });
  await copyDatabase({ from: state, to: file });
  const apart = [keyFileOf(config), join(dataDirectory, 'pictures'), rulesDirectory, configFileOf(rulesDirectory), '.env'];
  return { file, bytes: statSync(file).size, apart: apart.filter((path) => existsSync(path)) };
}
