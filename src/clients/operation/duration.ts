const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

const LONGEST_MS = 3_660 * 86_400_000;

/** The form of a duration. */
export const DURATION = /^(?:\d{1,12}(?:ms|[smhdw]))+$/u;

/** Parses `90s`, `1h30m` or `7d` to milliseconds; undefined for any other text and for more than ten years. */
export function parseDuration(text: string): number | undefined {
  if (!DURATION.test(text)) return undefined;
  let ms = 0;
  for (const [, count, unit = ''] of text.matchAll(/(\d+)(ms|[smhdw])/gu)) ms += Number(count) * (UNITS_MS[unit] ?? 0);
  return ms <= LONGEST_MS ? ms : undefined;
}

/** Writes a duration so that it parses to the same value, from seconds to days: `1h30m`. */
export function exactDuration(ms: number): string {
  let restMs = ms;
  const parts = ['d', 'h', 'm', 's'].map((unit) => {
    const unitMs = UNITS_MS[unit] ?? 1;
    const count = Math.floor(restMs / unitMs);
    restMs -= count * unitMs;
    return count > 0 ? `${count}${unit}` : '';
  });
  return parts.join('') || '0s';
}
