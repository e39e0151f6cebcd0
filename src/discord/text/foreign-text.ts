import { escapeMarkdown } from '#src/operation/text/escape-markdown.ts';
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

/** Foreign text of at most `max` with its lines and its links, which Discord's Markdown shows letter for letter. */
export function escapedLines(text: string, max: number): string {
  // Beyond what could ever be shown, nothing is looked at.
  const start = text.length > 4 * max ? `${text.slice(0, 4 * max)}…` : text;
  const lines = seen(start)
    .replaceAll(/[^\S\n]+/gu, ' ')
    .replaceAll(/ ?\n ?/gu, '\n')
    .replaceAll(/\n{3,}/gu, '\n\n');
  return shorten(escapeMarkdown(lines.trim()), max);
}

function visible(text: string): string {
  return seen(text).replaceAll(/\s+/gu, ' ').trim();
}

function seen(text: string): string {
  return neutral(text).normalize('NFC').replaceAll(WITHOUT_WIDTH, '').replaceAll(TOWER, '$1');
}
