import { greatest } from './greatest.ts';
import { shorten } from './shorten.ts';

const LINK = /\]\(<?https?:\/\//u;

/**
 * Shortens Markdown to at most `max` characters. In a text with several lines of links, the longest line becomes shorter if it has no link. Otherwise, the
 * text loses whole lines from its end, because addresses without their names are of no use.
 *
 * Another text is shortened as in `shorten`.
 */
export function shortenMarkdown(text: string, max: number): string {
  if (text.length <= max) return text;
  const lines = text.split('\n');
  if (lines.filter((line) => LINK.test(line)).length < 2) return shorten(text, max);
  return withShortLine(lines, text.length - max) ?? withoutLastLines(lines, max) ?? shorten(text, max);
}

/** For example, a long description above its links. */
function withShortLine(lines: readonly string[], excess: number): string | undefined {
  const [longest = '', index = 0] = lines.map((line, at) => [line, at] as const).toSorted(([a], [b]) => b.length - a.length)[0] ?? [];
  const short = LINK.test(longest) || longest.length <= excess ? '' : shorten(longest, longest.length - excess);
  return short === '' ? undefined : lines.with(index, short).join('\n');
}

function withoutLastLines(lines: readonly string[], max: number): string | undefined {
  const first = (count: number): string => `${lines.slice(0, count).join('\n')}\n…`;
  const count = greatest(0, lines.length - 1, (some) => first(some).length <= max);
  return lines.slice(0, count).some((line) => LINK.test(line)) ? first(count) : undefined;
}
