import { graphemesOf } from '#src/operation/text/graphemes.ts';
import { linksIn } from './links.ts';

const LINK_WEIGHT = 23;
const EMOJI_WEIGHT = 2;
const EMOJI = /^\p{RGI_Emoji}$/v;
/** What weighs one; everything else weighs two. */
const LIGHT: readonly (readonly [number, number])[] = [
  [0, 4351],
  [8192, 8205],
  [8208, 8223],
  [8242, 8247],
];

/** How long a text is as X counts: every link 23, every emoji 2, and of the rest each character 1 or 2. */
export function weightOf(given: string): number {
  const text = given.normalize('NFC');
  let weight = 0;
  let from = 0;
  for (const { start, end } of linksIn(text)) {
    weight += weightOfWords(text.slice(from, start)) + LINK_WEIGHT;
    from = end;
  }
  return weight + weightOfWords(text.slice(from));
}

function weightOfWords(text: string): number {
  let weight = 0;
  for (const grapheme of graphemesOf(text)) weight += EMOJI.test(grapheme) ? EMOJI_WEIGHT : weightOfCharacters(grapheme);
  return weight;
}

function weightOfCharacters(text: string): number {
  let weight = 0;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    weight += LIGHT.some(([first, last]) => code >= first && code <= last) ? 1 : 2;
  }
  return weight;
}
