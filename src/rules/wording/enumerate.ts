/** Names as a sentence has them: `a, b or c`. */
export function enumerate(names: readonly string[], last: 'or' | 'and' = 'or'): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`;
}
