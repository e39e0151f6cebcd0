import { mkdir } from 'node:fs/promises';
import type { Config } from '#src/config/config.ts';
import { ConfigError } from '#src/errors.ts';

/** Makes the folder in which the state is kept, where there is none yet. */
export async function makeDataDirectory({ dataDirectory }: Config): Promise<void> {
  try {
    await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? `${String(cause.code)}: ` : '';
    throw new ConfigError('the folder for the state cannot be made', {
      file: dataDirectory,
      hint: `${code}point FANFARE_DATA at a folder that can be written to`,
    });
  }
}
