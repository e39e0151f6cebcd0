const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** A length of time as a rule writes it: `1h30m`. */
export function exactDuration(ms: number): string {
  let restMs = ms;
  const parts = UNITS.map(([unit, unitMs]) => {
    const count = Math.floor(restMs / unitMs);
    restMs -= count * unitMs;
    return count > 0 ? `${count}${unit}` : '';
  });
  return parts.join('') || '0s';
}
