/** A line of a text that is in both texts, or only in one of them. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly line: string;
}

/** The lines of both texts in order, of which as many as possible count as the same. */
export function lineDiff(before: readonly string[], now: readonly string[]): readonly DiffLine[] {
  // The number of the same lines from these positions on.
  const same = before.map(() => now.map(() => 0));
  const sameFrom = (a: number, b: number): number => same[a]?.[b] ?? 0;
  for (let a = before.length - 1; a >= 0; a--)
    for (let b = now.length - 1; b >= 0; b--) {
      const row = same[a];
      if (row) row[b] = before[a] === now[b] ? sameFrom(a + 1, b + 1) + 1 : Math.max(sameFrom(a + 1, b), sameFrom(a, b + 1));
    }
  const lines: DiffLine[] = [];
  for (let [a, b] = [0, 0]; a < before.length || b < now.length;) {
    const [old, next] = [before[a], now[b]];
    if (old !== undefined && old === next) {
      lines.push({ kind: 'same', line: old });
      a++;
      b++;
    } else if (old !== undefined && (next === undefined || sameFrom(a + 1, b) >= sameFrom(a, b + 1))) {
      lines.push({ kind: 'removed', line: old });
      a++;
    } else if (next !== undefined) {
      lines.push({ kind: 'added', line: next });
      b++;
    }
  }
  return lines;
}
