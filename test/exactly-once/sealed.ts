import { createHash } from 'node:crypto';
import { silentLog } from '#src/log.ts';
import type { AccountTokens } from '#src/http/secrets/account-tokens.ts';
import { sealedTokens, type SealedRows } from '#src/http/secrets/sealed-tokens.ts';

/** `FANFARE_KEY` of an installation that can open the tokens. */
export const KEY_TEXT = 'a key that nothing but tests is opened with';
const KEY = createHash('sha256').update(KEY_TEXT).digest();

/** The sealed tokens of an account in the store. */
export function sealedIn(rows: SealedRows, account: string): AccountTokens {
  return sealedTokens({ account, rows, key: async () => KEY, log: silentLog });
}
