import { outsideLinks } from './links.ts';

/**
 * U+2060: not seen, no place for a line to break, and no part of a name, so that no platform reads a mention over it.
 * U+200B would let the line break between the sign and the name.
 */
const WORD_JOINER = '\u2060';

/** Foreign text for a post: whoever is named in it is not called. */
export function escapePost(text: string): string {
  return outsideLinks(text, (run) => run.replace(/[@＠]/gu, `$&${WORD_JOINER}`));
}
