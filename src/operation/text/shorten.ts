import { graphemesOf } from './graphemes.ts';
import { runsOf } from './links.ts';

const ELLIPSIS = '…';

/** Text that is no longer than `max`: words go first and become `…`, links go last and whole. */
export function shorten(text: string, max: number, lengthOf: (text: string) => number = (one) => one.length): string {
  if (lengthOf(text) <= max) return text;
  const parts = runsOf(text).map((run) => ({ ...run }));
  for (;;) {
    const excess = lengthOf(parts.map((part) => part.text).join('')) - max;
    if (excess <= 0) return parts.map((part) => part.text).join('');
    const words = parts.filter((part) => !part.link && part.text.trim() !== ELLIPSIS && part.text.trim() !== '');
    const longest = words.toSorted((a, b) => lengthOf(b.text) - lengthOf(a.text))[0];
    if (longest) longest.text = cut(longest.text, excess, lengthOf);
    else if (parts.pop() === undefined) return '';
  }
}

/** Takes at least `excess` from the end of the words, but keeps the space around them. */
function cut(text: string, excess: number, lengthOf: (text: string) => number): string {
  const words = text.trim();
  const start = text.length - text.trimStart().length;
  const room = lengthOf(words) - excess - lengthOf(ELLIPSIS);
  let kept = '';
  let used = 0;
  for (const segment of graphemesOf(words)) {
    used += lengthOf(segment);
    if (used > room) break;
    kept += segment;
  }
  return text.slice(0, start) + withoutHalfEscape(kept.trimEnd()) + ELLIPSIS + text.slice(start + words.length);
}

/** A backslash whose character was cut off would act on the next one. */
function withoutHalfEscape(text: string): string {
  let backslashes = 0;
  while (text[text.length - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1 ? text.slice(0, -1) : text;
}
