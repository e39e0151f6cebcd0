import { neutral } from '#src/operation/text/neutral.ts';
import { shorten } from '#src/operation/text/shorten.ts';

const WITHOUT_WIDTH = /[\u00AD\u200B\u2060]/gu;
/** More marks on one letter than any script puts there. */
const TOWER = /(\p{M}{3})\p{M}+/gu;
const MARKUP = /[\\*_~`|[\]()<>#@:.+-]/gu;

/** Foreign text on one line of at most `max`, for places where Discord reads no Markdown. */
export function oneLine(text: string, max: number): string {
  return shorten(visible(text), max);
}

/** Foreign text on one line of at most `max`, which Discord's Markdown shows letter for letter; an address in it is no link. */
export function escaped(text: string, max: number): string {
  return shorten(visible(text).replaceAll(MARKUP, '\\$&'), max);
}

function visible(text: string): string {
  return neutral(text).normalize('NFC').replaceAll(WITHOUT_WIDTH, '').replaceAll(/\s+/gu, ' ').replaceAll(TOWER, '$1').trim();
}
