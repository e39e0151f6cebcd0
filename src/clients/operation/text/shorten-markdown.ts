import { greatest } from './greatest.ts';
import { shorten } from './shorten.ts';

const LINK = /\]\(<?https?:\/\//u;

/**
 * Shortens Markdown to at most `max` characters. A list of links loses whole lines from its end, because addresses without their names are of no use.
 *
 * Another text is shortened as in `shorten`.
 */
export function shortenMarkdown(text: string, max: number): string {
  return text.length <= max ? text : shorten(withoutLastLines(text, max), max);
}

function withoutLastLines(text: string, max: number): string {
  const lines = text.split('\n');
  if (lines.filter((line) => LINK.test(line)).length < 2) return text;
  const first = (count: number): string => `${lines.slice(0, count).join('\n')}\n…`;
  const kept = lines.slice(
    0,
    greatest(0, lines.length - 1, (count) => first(count).length <= max),
  );
  return kept.some((line) => LINK.test(line)) ? first(kept.length) : text;
}
