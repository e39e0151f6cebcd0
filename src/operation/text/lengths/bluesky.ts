import { countGraphemes } from '../graphemes.ts';

/** Of 300 characters with 3000 bytes, a character takes ten bytes. */
const BYTES_A_CHARACTER = 10;

/** What a text takes of a post on Bluesky, where characters and UTF-8 bytes are limited: whichever it takes more of. */
export function blueskyLength(text: string): number {
  return Math.max(countGraphemes(text), Math.ceil(Buffer.byteLength(text) / BYTES_A_CHARACTER));
}
