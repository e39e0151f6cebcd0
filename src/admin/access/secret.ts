import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Secret scanners find tokens by this start. */
export const TOKEN_START = 'fanfare_';

/** Creates a secret of 256 bits: the value of a cookie, or a token. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The stored form of a secret. A secret of 256 bits needs no salt and no slow hash. `use` separates the hashes of different uses. */
export function hashOf(secret: string, use: 'session' | 'token' | 'first-run' | 'form' | 'attempt'): string {
  return hash('sha256', `${use}:${secret}`, 'base64url');
}

/** The key of the attempts of a person or a network. */
export function attemptKeyOf(id: string): string {
  return hashOf(id, 'attempt');
}

/** Compares two secrets in a time that does not depend on their content. */
export function isSame(one: string, other: string): boolean {
  const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(one), digest(other));
}
