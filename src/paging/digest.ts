import { hash } from 'node:crypto';

/** How long a short hash is. */
export const SHORT_HASH = 8;

/** A short name for an id or a cursor: 48 bits, so that a page's worth fits into a cursor. */
export function shortHash(text: string): string {
  return digest(text, SHORT_HASH);
}

/** The first letters of a text's SHA-256. */
export function digest(text: string, length: number): string {
  return hash('sha256', text, 'base64url').slice(0, length);
}
