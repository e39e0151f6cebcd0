import type { WorldGame } from '../world/world.ts';

/** As `entitiesOf` sees them: a number alone is none, nor what stands inside a word. */
const HASHTAG = /(?<![\p{L}\p{N}_])#[\p{L}\p{N}_]*[\p{L}_][\p{L}\p{N}_]*/gu;

/** The hashtags in a text, each once, as `#speedrun`, folded. */
export function hashtagsIn(text: string): ReadonlySet<string> {
  return new Set(fold(text).match(HASHTAG));
}

/** The hashtags of a text in their original spelling. */
export function spelledHashtagsIn(text: string): readonly string[] {
  return text.match(HASHTAG) ?? [];
}

/** The hashtag of a game, as `#SuperMarioWorld`. */
export function hashtagOf({ name }: WorldGame): string {
  const word = name.replaceAll(/[^\p{L}\p{N}]/gu, '');
  return /\p{L}/u.test(word) ? `#${word}` : `#game${word}`;
}

/** The same for all spellings of a text. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
