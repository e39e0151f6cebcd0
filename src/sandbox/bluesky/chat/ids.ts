import { fromBase32, toBase32 } from '../data/base32.ts';

/** An id of the stage as this platform shows it: letters and digits that say nothing. */
export function toOpaque(id: string): string {
  return toBase32(Buffer.from(id));
}

export function fromOpaque(text: string): string {
  return fromBase32(text)?.toString() ?? '';
}
