import { ConfigError, PlatformError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { KeptTokens } from './kept-tokens.ts';
import type { SecretKey } from './key.ts';
import { seal, unseal } from './seal.ts';

/** Where sealed texts are, by the accounts that they belong to. */
export interface SealedRows {
  load(account: string): Promise<string | undefined>;
  /** Resolves once it outlives a crash. */
  save(account: string, sealed: string): Promise<void>;
  drop(account: string): Promise<void>;
  /** Resolves when nobody else, in this process or another, has what belongs to the account, and keeps them waiting. */
  claim(account: string, signal: AbortSignal): Promise<Disposable>;
}

export interface SealedTokensOptions {
  readonly account: string;
  readonly rows: SealedRows;
  /** Asked for when there is something to seal or to open. */
  readonly key: () => Promise<SecretKey>;
  /** Learns what no line may say. */
  readonly log: Pick<Log, 'conceal'>;
}

/** What opens an account is called so by the adapter that keeps it: `accessToken`, `refreshJwt`. */
const NAME_OF_SECRET = /(?:token|jwt|secret|password)$/iu;

/** The tokens of an account, at rest as nobody without the key reads them. Where they cannot be opened, the account is `unauthorized` until they can. */
export function sealedTokens({ account, rows, key, log }: SealedTokensOptions): KeptTokens {
  /** The row as it was last opened or saved here; each sealing looks different. */
  let known: string | undefined;

  async function openKey(): Promise<SecretKey> {
    try {
      return await key();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      throw locked(account, `${error.file}: ${error.message}${error.hint === undefined ? '' : `; ${error.hint}`}`, error);
    }
  }

  function conceal(tokens: unknown): void {
    if (typeof tokens !== 'object' || tokens === null) return;
    const secrets = Object.entries(tokens).flatMap(([name, value]) =>
      typeof value === 'string' && NAME_OF_SECRET.test(name) ? [value] : [],
    );
    log.conceal(account, secrets);
  }

  return {
    async load() {
      const sealed = await rows.load(account);
      if (sealed === undefined) {
        known = undefined;
        return undefined;
      }
      const text = unseal(sealed, { key: await openKey(), name: account });
      if (text !== undefined) {
        known = sealed;
        const tokens: unknown = JSON.parse(text);
        conceal(tokens);
        return tokens;
      }
      throw locked(account, `they were sealed with another key; put that one back, or sign in again: npx fanfare auth ${account}`);
    },
    async areOthers() {
      const sealed = await rows.load(account);
      return sealed !== undefined && sealed !== known;
    },
    async save(tokens) {
      conceal(tokens);
      const sealed = seal(JSON.stringify(tokens), { key: await openKey(), name: account });
      await rows.save(account, sealed);
      known = sealed;
    },
    async alone(work, signal = new AbortController().signal) {
      using _claim = await rows.claim(account, signal);
      return await work();
    },
  };
}

/** What waits for the account may go out once somebody has put the key right. */
function locked(account: string, why: string, cause?: ConfigError): PlatformError {
  return new PlatformError(`the tokens of ${account} cannot be opened: ${why}`, { platform: account, fault: 'unauthorized', cause });
}
