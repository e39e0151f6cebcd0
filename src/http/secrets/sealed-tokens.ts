import { ConfigError, PlatformError, messageOf } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { AccountTokens } from './account-tokens.ts';
import type { SecretKey } from './key.ts';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** The storage of sealed texts by account. */
export interface SealedRows {
  readonly load: (account: string) => Promise<string | undefined>;
  /** Resolves when the text is durable. */
  save(account: string, sealed: string): Promise<void>;
  /** Returns the number of deleted texts. */
  drop(account: string): Promise<number>;
  /** Resolves when no other process holds the claim of the account. Others wait until it is disposed. */
  claim(account: string, signal: AbortSignal): Promise<Disposable>;
}

export interface SealedTokensOptions {
  readonly account: string;
  readonly rows: SealedRows;
  /** Loads the key when a text is sealed or opened. */
  readonly key: () => Promise<SecretKey>;
  /** Conceals the tokens in log lines. */
  readonly log: Pick<Log, 'conceal'>;
}

/** The adapters name their credentials with these endings, for example `accessToken` and `refreshJwt`. */
const NAME_OF_SECRET = /(?:token|jwt|secret|password)$/iu;

/** The tokens of an account, encrypted at rest. If the key does not open them, the account is `unauthorized`. */
export function sealedTokens({ account, rows, key, log }: SealedTokensOptions): AccountTokens {
  /** The last loaded or saved row. Each sealing gives another text. */
  let known: string | undefined;

  async function openKey(): Promise<SecretKey> {
    try {
      return await key();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      throw locked(account, `${error.file}: ${error.message}${error.hint === undefined ? '' : `; ${error.hint}`}`, error);
    }
  }

  /** Awaits the storage. If it fails, the request that needs the tokens was not sent. */
  async function stored<T>(work: Promise<T>): Promise<T> {
    return work.catch((cause: unknown) => {
      const reason = messageOf(cause);
      const message = `the stored tokens of ${account} cannot be used: ${reason}; nothing was sent.`;
      throw new PlatformError(message, { platform: account, fault: 'unreachable', cause });
    });
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
      const sealed = await stored(rows.load(account));
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
      throw locked(account, `they were encrypted with another key: restore that key, or sign in again: npx fanfare auth ${account}`);
    },
    async areOthers() {
      const sealed = await stored(rows.load(account));
      return sealed !== known;
    },
    async save(tokens) {
      conceal(tokens);
      const sealed = seal(JSON.stringify(tokens), { key: await openKey(), name: account });
      await stored(rows.save(account, sealed));
      known = sealed;
    },
    drop: () => stored(rows.drop(account)),
    async alone(work, signal = new AbortController().signal) {
      const claiming = rows.claim(account, signal);
      using _claim = await claiming.catch((error: unknown) => (signal.aborted ? Promise.reject(error) : stored(claiming)));
      return await work();
    },
  };
}

/** The fault is `unauthorized`, so deliveries wait until the key is right. */
function locked(account: string, why: string, cause?: ConfigError): PlatformError {
  return new PlatformError(`the tokens of ${account} cannot be opened: ${why}`, { platform: account, fault: 'unauthorized', cause });
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FORM = 'v1.';

/** Encrypts a text. It opens with the same key under the same `name` only. */
export function seal(text: string, { key, name }: { readonly key: SecretKey; readonly name: string }): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(name));
  const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return FORM + Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64url');
}

/** Decrypts a text; undefined if the key or the name differs, or if the text was changed. */
export function unseal(sealed: string, { key, name }: { readonly key: SecretKey; readonly name: string }): string | undefined {
  const bytes = Buffer.from(sealed.slice(FORM.length), 'base64url');
  if (!sealed.startsWith(FORM) || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const [nonce, tag, content] = [
    bytes.subarray(0, NONCE_BYTES),
    bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES),
    bytes.subarray(NONCE_BYTES + TAG_BYTES),
  ];
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(name)).setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(content), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
