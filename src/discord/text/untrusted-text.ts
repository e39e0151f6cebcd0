import { escapeMarkdown } from '#src/clients/operation/text/escape-markdown.ts';
import { neutral } from '#src/clients/operation/text/sanitize.ts';
import { shorten } from '#src/clients/operation/text/shorten.ts';

const ELLIPSIS = '…';
const WITHOUT_WIDTH = /[\u00AD\u200B\u2060]/gu;
/** More combining marks than any script uses. */
const TOWER = /(\p{M}{3})\p{M}+/gu;
const MARKUP = /[\\*_~`|[\]()<>#@:.+-]/gu;

/** Untrusted text on one line of at most `max` characters, for fields without Markdown. */
export function oneLine(text: string, max: number): string {
  return beginningOf(visible(text), max);
}

/** Untrusted text on one line of at most `max` characters, with escaped Markdown and without links. */
export function escaped(text: string, max: number): string {
  return beginningOf(visible(text).replaceAll(MARKUP, '\\$&'), max);
}

/** The end of a German text that ends with a quotation. */
const QUOTATION_END = /“(?:\\?\))?$/u;

/** A text of at most `max` characters. A longer one ends after a whole word, if that keeps half of it, and keeps the end of its quotation. */
export function beginningOf(text: string, max: number): string {
  if (text.length <= max) return text;
  const [end = ''] = QUOTATION_END.exec(text) ?? [];
  const cut = wholeWords(text, shorten(text.slice(0, text.length - end.length), max - end.length));
  return cut.includes('„') ? cut + end : wholeWords(text, shorten(text, max));
}

/** The cut text without the beginning of its last word. */
function wholeWords(text: string, cut: string): string {
  const kept = cut.slice(0, -ELLIPSIS.length);
  const isInWord = cut.endsWith(ELLIPSIS) && text.startsWith(kept) && /\S$/u.test(kept) && /^\S/u.test(text.slice(kept.length));
  const wordStart = isInWord ? kept.search(/\s\S*$/u) : -1;
  return wordStart < kept.length / 2 ? cut : kept.slice(0, wordStart) + ELLIPSIS;
}

/** The most characters of the names of roles in a message. */
const MOST_OF_ROLES = 1_000;

/** The names of roles, as many as a message has room for. */
export function roleNames(roles: readonly string[]): string {
  return beginningOf(roles.map((role) => escaped(role, 100)).join(', '), MOST_OF_ROLES);
}

/** A name in bold. */
export function bold(name: string): string {
  return `**${escaped(name, 100) || '?'}**`;
}

/** Untrusted text of at most `max` characters with its lines and links, and with escaped Markdown. */
export function escapedLines(text: string, max: number): string {
  // The limit keeps the regular expressions fast.
  const start = text.length > 4 * max ? `${text.slice(0, 4 * max)}…` : text;
  const lines = seen(start)
    .replaceAll(/[^\S\n]+/gu, ' ')
    .replaceAll(/ ?\n ?/gu, '\n')
    .replaceAll(/\n{3,}/gu, '\n\n');
  return shorten(escapeMarkdown(lines.trim()), max);
}

/** Untrusted text of at most `max` characters in a code block. */
export function codeBlock(text: string, max: number): string {
  return `\`\`\`\n${shorten(neutral(text), max).replaceAll('```', "'''")}\n\`\`\``;
}

function visible(text: string): string {
  return seen(text).replaceAll(/\s+/gu, ' ').trim();
}

function seen(text: string): string {
  return neutral(text).normalize('NFC').replaceAll(WITHOUT_WIDTH, '').replaceAll(TOWER, '$1');
}

/** A link with a text that hides its address. Any character of the address may be escaped. */
const MASK = /\](?=\(\s{0,2000}[^\s:\\]{0,20}[:\\])/gu;
/** Only the bot writes small print. */
const SMALL_PRINT = /^(?=[ \t]*-#)/gmu;

/**
 * The text of a model with its Markdown, but without misleading parts: links show their addresses, bidirectional controls are removed,
 * and only the bot writes small print.
 *
 * If more text is appended, only the end of the result changes.
 */
export function answerText(text: string): string {
  return neutral(text).replaceAll(TOWER, '$1').replaceAll(MASK, '] ').replaceAll(SMALL_PRINT, '\\');
}
