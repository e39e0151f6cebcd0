import { countGraphemes } from '#src/clients/operation/text/characters.ts';
import type { TextLimit } from '#src/clients/operation/text/limit.ts';
import { namesIn } from '#src/clients/operation/text/mentions.ts';

/** The bytes per character, from the limits of 3000 bytes and 300 characters. */
const BYTES_A_CHARACTER = 10;

const MENTION =
  /(?<=^|[\s(])@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?![\w-]|\.[A-Za-z0-9])/gu;

/** The limit of a post: visible characters or UTF-8 bytes, whichever uses more of its limit. */
export const TEXT_LIMIT: TextLimit = {
  most: 300,
  lengthOf: (text) => Math.max(countGraphemes(text), Math.ceil(Buffer.byteLength(text) / BYTES_A_CHARACTER)),
  mentionsIn: (text) => namesIn(text, MENTION),
};
