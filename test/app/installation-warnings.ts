import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { environmentWarnings } from '#src/app/environment-warnings.ts';
import { textOfDotEnv } from '#src/config/dot-env-lines.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Installation {
  readonly dotEnv?: string | Uint8Array;
  readonly environment?: Readonly<Record<string, string>>;
  /** Further files by path. */
  readonly files?: Readonly<Record<string, string>>;
}

/** The warnings of an installation, as commands print them. */
export function warningsOf({ dotEnv, environment = {}, files = {} }: Installation): readonly string[] {
  using outer = temporaryFolder();
  const folder = join(outer.path, 'bot');
  mkdirSync(join(folder, 'rules'), { recursive: true });
  if (dotEnv !== undefined) writeFileSync(join(folder, '.env'), dotEnv);
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  // Variables of the environment take precedence.
  const all = { ...parseEnv(textOfDotEnv(Buffer.from(dotEnv ?? ''))), ...environment };
  return environmentWarnings(all, folder).map(({ where, message, hint }) =>
    [where, message, hint]
      .filter((part) => part !== undefined)
      .join(': ')
      .replaceAll(outer.path, ''),
  );
}
