import { join } from 'node:path';
import type { Config } from '#src/config/config.ts';
import type { Log } from '#src/log.ts';
import type { KeptTokens } from '#src/secrets/kept-tokens.ts';
import { openKey, type SecretKey } from '#src/secrets/key.ts';
import { sealedTokens } from '#src/secrets/sealed-tokens.ts';
import type { Store } from '#src/store/store.ts';

/** Where the key of an installation is that has none in its environment. */
export function keyFileOf({ dataDirectory }: Pick<Config, 'dataDirectory'>): string {
  return join(dataDirectory, 'key');
}

/** The tokens of accounts, sealed in the store. The key is asked for when there is something to open. */
export function keptTokensIn(
  { sealedRows: rows }: Pick<Store, 'sealedRows'>,
  config: Pick<Config, 'dataDirectory' | 'key'>,
  log: Pick<Log, 'conceal'>,
): (account: string) => KeptTokens {
  let opening: Promise<SecretKey> | undefined;

  function key(): Promise<SecretKey> {
    opening ??= openKey({ written: config.key, file: keyFileOf(config) }).catch((error: unknown) => {
      // Whoever puts it right need not start again.
      opening = undefined;
      throw error;
    });
    return opening;
  }

  return (account) => sealedTokens({ account, rows, key, log });
}
