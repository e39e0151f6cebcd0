/** Control characters, what turns the direction of the text that follows, and what has no width. */
const UNSEEN = /[\p{Cc}--\s]|[\u00AD\u200B\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/gv;
/** More marks on one letter than any script puts there. */
const TOWER = /(\p{M}{3})\p{M}+/gu;
const MARKUP = /[\\*_~`|[\]()<>#@:.+-]/gu;
const ELLIPSIS = '…';
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Foreign text on one line of at most `max`, for places where Discord reads no Markdown. */
export function oneLine(text: string, max: number): string {
  return written(text, max, (character) => character);
}

/** Foreign text on one line of at most `max`, which Discord's Markdown shows letter for letter; an address in it is no link. */
export function escaped(text: string, max: number): string {
  return written(text, max, (character) => character.replaceAll(MARKUP, '\\$&'));
}

function written(text: string, max: number, write: (character: string) => string): string {
  const characters: string[] = [];
  let length = 0;
  for (const { segment } of graphemes.segment(visible(text))) {
    const character = write(segment);
    characters.push(character);
    length += character.length;
    if (length > max) return shortened(characters, length, max);
  }
  return characters.join('');
}

function visible(text: string): string {
  return text.toWellFormed().normalize('NFC').replaceAll(UNSEEN, '').replaceAll(/\s+/gu, ' ').replaceAll(TOWER, '$1').trim();
}

function shortened(characters: readonly string[], length: number, max: number): string {
  let count = characters.length;
  for (let left = length; left + ELLIPSIS.length > max; count--) left -= characters[count - 1]?.length ?? 0;
  return characters.slice(0, count).join('').trimEnd() + ELLIPSIS;
}
