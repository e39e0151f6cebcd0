import type { Config } from '#src/config/config.ts';
import { keyFileOf } from '#src/config/data-directory.ts';
import type { Log } from '#src/log.ts';
import type { AccountTokens } from '#src/http/secrets/account-tokens.ts';
import { openKey, type SecretKey } from '#src/http/secrets/key.ts';
import { sealedTokens } from '#src/http/secrets/sealed-tokens.ts';
import type { Store } from '#src/store/store.ts';

/** The sealed tokens of accounts in the store. The key is read on first use. */
export function storedTokensIn(
  { sealedRows: rows }: Pick<Store, 'sealedRows'>,
  config: Pick<Config, 'dataDirectory' | 'key'>,
  log: Pick<Log, 'conceal'>,
): (account: string) => AccountTokens {
  let opening: Promise<SecretKey> | undefined;

  function key(): Promise<SecretKey> {
    opening ??= openKey({ written: config.key, file: keyFileOf(config) }).catch((error: unknown) => {
      // After a fix of the key, the next use reads it again.
      opening = undefined;
      throw error;
    });
    return opening;
  }

  return (account) => sealedTokens({ account, rows, key, log });
}
