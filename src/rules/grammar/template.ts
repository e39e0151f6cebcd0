/** A stretch of a template: the author's own text, or an expression. */
type Piece = { readonly text: string } | { readonly source: string; /** Where `source` begins in the template. */ readonly at: number };

/** Text with expressions in it. */
export interface Template {
  readonly pieces: readonly Piece[];
  /** Where a `${{` begins that nothing closes. */
  readonly unclosedAt?: number;
}

const OPENING = '${{';

/** Whether there is anything in the text to be worked out. */
export function isTemplate(text: string): boolean {
  return text.includes(OPENING);
}

/** The expression, where it is all that there is. */
export function onlyExpression({ pieces }: Template): { readonly source: string; readonly at: number } | undefined {
  const [first, second] = pieces;
  return first && 'source' in first && second === undefined ? first : undefined;
}

/** What its author wrote alone: the text with `instead` in place of what is put in. */
export function ownText({ pieces }: Template, instead = ''): string {
  return pieces.map((piece) => ('text' in piece ? piece.text : instead)).join('');
}

/** The text in pieces; `$${{` stands for a literal `${{`. */
export function parseTemplate(text: string): Template {
  const pieces: Piece[] = [];
  let own = '';
  let from = 0;
  for (;;) {
    const opening = text.indexOf(OPENING, from);
    if (opening === -1) break;
    if (text[opening - 1] === '$' && opening > from) {
      own += text.slice(from, opening - 1) + OPENING;
      from = opening + OPENING.length;
      continue;
    }
    own += text.slice(from, opening);
    const end = endOf(text, opening + OPENING.length);
    if (end === -1) return { pieces, unclosedAt: opening };
    if (own !== '') pieces.push({ text: own });
    pieces.push(trimmed(text.slice(opening + OPENING.length, end), opening + OPENING.length));
    own = '';
    from = end + 2;
  }
  own += text.slice(from);
  if (own !== '' || pieces.length === 0) pieces.push({ text: own });
  return { pieces };
}

function trimmed(source: string, at: number): Piece {
  return { source: source.trim(), at: at + source.length - source.trimStart().length };
}

/** Where the `}}` is that is in no map and in no quotes. */
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

/** Where text goes on behind the quotes that open at `at`. */
export function afterQuotes(text: string, at: number): number {
  const quote = text[at] ?? '';
  const fence = text.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
  let next = at + fence.length;
  while (next < text.length && !text.startsWith(fence, next)) next += text[next] === '\\' ? 2 : 1;
  return next + fence.length;
}
