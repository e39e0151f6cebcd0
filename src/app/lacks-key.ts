import { hasDataFile, keyFileOf } from '#src/config/data-directory.ts';
import type { Config } from '#src/config/config.ts';
import { ConfigError } from '#src/errors.ts';
import { openKey } from '#src/http/secrets/key.ts';
import { unseal } from '#src/http/secrets/sealed-tokens.ts';
import type { SealedToken } from '#src/store/restores.ts';

/** Whether a state has tokens of accounts, and the key of this installation is missing, unusable or the key of none of them. */
export async function lacksKeyOf(tokens: readonly SealedToken[], config: Pick<Config, 'dataDirectory' | 'key'>): Promise<boolean> {
  const file = keyFileOf(config);
  if (tokens.length === 0) return false;
  // Opening a missing file would create it.
  if (config.key === undefined && !hasDataFile(file)) return true;
  try {
    const key = await openKey({ written: config.key, file });
    return tokens.every(({ account, sealed }) => unseal(sealed, { key, name: account }) === undefined);
  } catch (error) {
    if (error instanceof ConfigError) return true;
    throw error;
  }
}
