import type { WorldGame } from '../world/world.ts';

/** A hashtag has at least one letter and does not begin inside a word. */
const HASHTAG = /(?<![\p{L}\p{N}_])#[\p{L}\p{N}_]*[\p{L}_][\p{L}\p{N}_]*/gu;

/** The normalized hashtags of a text, such as `#speedrun`. */
export function hashtagsIn(text: string): ReadonlySet<string> {
  return new Set(fold(text).match(HASHTAG));
}

/** The hashtags of a text in their original spelling. */
export function spelledHashtagsIn(text: string): readonly string[] {
  return text.match(HASHTAG) ?? [];
}

/** The hashtag of a game, such as `#SuperMarioWorld`. */
export function hashtagOf({ name }: WorldGame): string {
  const word = name.replaceAll(/[^\p{L}\p{N}]/gu, '');
  return /\p{L}/u.test(word) ? `#${word}` : `#game${word}`;
}

/** A normal form that ignores case and compatibility characters. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
