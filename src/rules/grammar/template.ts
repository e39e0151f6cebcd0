/** A part of a template: literal text or an expression. */
type Piece = { readonly text: string } | { readonly source: string; /** The offset of `source` in the template. */ readonly at: number };

/** Text with expressions in it. */
export interface Template {
  readonly pieces: readonly Piece[];
  /** The offset of an unclosed `${{`. */
  readonly unclosedAt?: number;
}

const OPENING = '${{';

/** Whether the text has an expression. */
export function isTemplate(text: string): boolean {
  return text.includes(OPENING);
}

/** Whether the text is only the name of a value in an expression, for example `vars.team`. */
export function isBarePath(text: string): boolean {
  return /^(?:item|previous|change|changes|items|episode|steps|rule|vars|each|it|keep|lists|command|held)(?:\.[A-Za-z_]\w*)+$/u.test(text);
}

/** The expression of a template that is nothing else. */
export function onlyExpression({ pieces }: Template): { readonly source: string; readonly at: number } | undefined {
  const [first, second] = pieces;
  return first && 'source' in first && second === undefined ? first : undefined;
}

/** The literal text, with `instead` in place of expressions. */
export function literalText({ pieces }: Template, instead = ''): string {
  return pieces.map((piece) => ('text' in piece ? piece.text : instead)).join('');
}

/** Parses a text. `$${{` is a literal `${{`. */
export function parseTemplate(text: string): Template {
  const pieces: Piece[] = [];
  let literal = '';
  let from = 0;
  for (;;) {
    const opening = text.indexOf(OPENING, from);
    if (opening === -1) break;
    if (text[opening - 1] === '$' && opening > from) {
      literal += text.slice(from, opening - 1) + OPENING;
      from = opening + OPENING.length;
      continue;
    }
    literal += text.slice(from, opening);
    const end = endOf(text, opening + OPENING.length);
    if (end === -1) return { pieces, unclosedAt: opening };
    if (literal !== '') pieces.push({ text: literal });
    pieces.push(trimmed(text.slice(opening + OPENING.length, end), opening + OPENING.length));
    literal = '';
    from = end + 2;
  }
  literal += text.slice(from);
  if (literal !== '' || pieces.length === 0) pieces.push({ text: literal });
  return { pieces };
}

function trimmed(source: string, at: number): Piece {
  return { source: source.trim(), at: at + source.length - source.trimStart().length };
}

/** The offset of the `}}` outside maps and quotes; -1 without one. */
function endOf(text: string, from: number): number {
  let braces = 0;
  let at = from;
  while (at < text.length) {
    const char = text[at];
    if (char === '"' || char === "'") {
      at = afterQuotes(text, at);
      continue;
    }
    if (char === '}' && braces === 0 && text[at + 1] === '}') return at;
    if (char === '{') braces++;
    if (char === '}' && braces > 0) braces--;
    at++;
  }
  return -1;
}

/** The offset behind the quotes that open at `at`. */
export function afterQuotes(text: string, at: number): number {
  const quote = text[at] ?? '';
  const fence = text.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
  let next = at + fence.length;
  while (next < text.length && !text.startsWith(fence, next)) next += text[next] === '\\' ? 2 : 1;
  return next + fence.length;
}
