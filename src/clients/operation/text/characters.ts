const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The visible characters of a text. */
export function* graphemesOf(text: string): Generator<string, void> {
  for (const { segment } of segmenter.segment(text)) yield segment;
}

/** Texts in which each UTF-16 unit is a visible character. */
const PLAIN = /^[\t\n\x20-\x7e]*$/;

/** The number of visible characters. */
export function countGraphemes(text: string): number {
  // The segmenter takes most of the time to render a short text.
  if (PLAIN.test(text)) return text.length;
  let count = 0;
  for (const _ of segmenter.segment(text)) count++;
  return count;
}

/** The number of code points. A composed emoji counts as several. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** The first half of a code point that takes two UTF-16 units. */
const HALF = /[\uD800-\uDBFF]$/u;

/** The first `most` UTF-16 units of a text, without half of a code point. It takes less time than a cut between visible characters. */
export function firstUnits(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(HALF, '');
}

/** Cuts a label without links, as of a button, to at most `max` UTF-16 units, between visible characters. */
export function cutLabel(text: string, max: number): string {
  if (text.length <= max) return text;
  let kept = '';
  for (const character of graphemesOf(text)) {
    if (kept.length + character.length >= max) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

/** Characters without a width, which copies from web pages contain. */
export const INVISIBLE = /[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/gu;
