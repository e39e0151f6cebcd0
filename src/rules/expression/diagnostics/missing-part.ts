/** Texts in quotes, which can contain signs of all kinds. */
const QUOTED = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/gu;
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** What an expression lacks at an offset at which a value, a bracket or the second part of `? :` must follow; undefined: nothing is open there. */
export function missingPart(source: string, at: number): string | undefined {
  if (!/^\s*(?:[)\]},]|$)/u.test(source.slice(at))) return undefined;
  const before = source
    .slice(0, at)
    .replaceAll(QUOTED, (text) => '"'.repeat(text.length))
    .trimEnd();
  if (/[?:]$/u.test(before)) return 'add the missing value: condition ? a : b';
  const [operator] = /(?:&&|\|\||[!=<>]=|[<>+*/%!-]|\bin)$/u.exec(before) ?? [];
  if (operator !== undefined) return `add a value behind ${operator}`;
  const { bracket, conditions } = openParts(before);
  if (conditions > 0) return 'add : and the value for the other case: condition ? a : b, for example with "" as b';
  return bracket === undefined || source.slice(at).trim() !== '' ? undefined : `add the missing ${CLOSING[bracket] ?? ''}`;
}

/** The innermost open bracket, and the `?` in it that have no `:` yet. */
function openParts(text: string): { readonly bracket: string | undefined; readonly conditions: number } {
  const open: { readonly bracket: string | undefined; conditions: number }[] = [{ bracket: undefined, conditions: 0 }];
  // [? and .? read a value that can be absent.
  for (const [sign] of text
    .replaceAll('[?', '[')
    .replaceAll('.?', '.')
    .matchAll(/[()[\]{}?:]/gu)) {
    const innermost = open.at(-1);
    if (sign in CLOSING) open.push({ bracket: sign, conditions: 0 });
    else if (')]}'.includes(sign) && open.length > 1) open.pop();
    else if (sign === '?' && innermost) innermost.conditions += 1;
    else if (sign === ':' && innermost) innermost.conditions = Math.max(0, innermost.conditions - 1);
  }
  return open.at(-1) ?? { bracket: undefined, conditions: 0 };
}
