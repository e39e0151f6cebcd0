import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '#src/clock.ts';

const LIFETIME_MS = 10 * 60_000;

/** What somebody agreed to, until the app comes for its token. */
export interface Grant {
  readonly appId: string;
  readonly userId: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  /** Of PKCE: what only the app can show that began. */
  readonly challenge: string | undefined;
}

/** The codes that stand for what people agreed to; each is good once, and for ten minutes. */
export class Codes {
  readonly #clock: Clock;
  readonly #grants = new Map<string, Grant & { readonly expiresAtMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  issue(grant: Grant): string {
    const code = randomBytes(32).toString('base64url');
    this.#grants.set(code, { ...grant, expiresAtMs: this.#clock.nowMs() + LIFETIME_MS });
    return code;
  }

  /** What a code stands for; it is used up, whoever showed it. */
  redeem(code: string): Grant | undefined {
    const grant = this.#grants.get(code);
    this.#grants.delete(code);
    return grant && this.#clock.nowMs() < grant.expiresAtMs ? grant : undefined;
  }
}

/** Whether a verifier is the one that a challenge was made from, by S256. */
export function answers(challenge: string | undefined, verifier: string | undefined): boolean {
  if (challenge === undefined) return true;
  return verifier !== undefined && createHash('sha256').update(verifier).digest('base64url') === challenge;
}
