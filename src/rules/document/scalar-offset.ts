import type { Scalar } from 'yaml';

const SPACE = /[ \n\t\r]/gu;

/** A character that is no space, and where it stands. */
interface Ink {
  readonly char: string;
  readonly at: number;
}

/**
 * Where in the file the character stands that is at `at` in the text of the scalar, or as near before it as can be known.
 *
 * Line breaks and indentation differ between the two; all that is no space comes in the same order.
 */
export function offsetInScalar({ range, type, value }: Scalar, source: string, at: number): number {
  const [start, end] = range ?? [0, 0];
  if (typeof value !== 'string') return start;
  const raw = source.slice(start, end);
  const wanted = value.slice(0, at).replace(SPACE, '');
  const inks = inksOf(raw, type);
  const same = inks.findIndex(({ char }, index) => index >= wanted.length || char !== wanted[index]);
  const [ink, last] = [inks[same], inks.at(-1)];
  return start + (ink?.at ?? (last ? last.at + 1 : 0));
}

function inksOf(raw: string, type: Scalar['type']): readonly Ink[] {
  const inks: Ink[] = [];
  const isDouble = type === 'QUOTE_DOUBLE';
  for (let at = bodyStart(raw, type); at < raw.length; at++) {
    const char = raw[at] ?? '';
    const next = raw[at + 1] ?? '';
    if (char.trim() === '') continue;
    if (isDouble && char === '\\' && 'ntr \n'.includes(next)) at++;
    else if (isDouble && char === '\\') inks.push({ char: next, at: ++at });
    else if (type === 'QUOTE_SINGLE' && char === "'" && next === "'") inks.push({ char, at: at++ });
    else inks.push({ char, at });
  }
  return inks;
}

/** Behind the opening quote, or behind the line with `|` or `>`. */
function bodyStart(raw: string, type: Scalar['type']): number {
  if (type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE') return 1;
  return type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED' ? raw.indexOf('\n') + 1 : 0;
}
