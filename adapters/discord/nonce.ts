import { createHash } from 'node:crypto';

/** The same for every attempt at one write, in the 25 characters that Discord takes. */
export function toNonce(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 25);
}
