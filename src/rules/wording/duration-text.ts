const COUNT = new Intl.NumberFormat('en');

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** A length of time in its two greatest units, as `2h 5m`. */
export function durationText(ms: number): string {
  const parts: string[] = [];
  let restMs = Math.max(0, Math.round(ms / 1_000) * 1_000);
  for (const [unit, unitMs] of UNITS) {
    const count = Math.floor(restMs / unitMs);
    if (count > 0) parts.push(COUNT.format(count) + unit);
    restMs -= count * unitMs;
  }
  return parts.slice(0, 2).join(' ') || '0s';
}
