const COUNT = new Intl.NumberFormat('en');

/** A number with separators, for example `1,200`. */
export function formatNumber(n: number): string {
  return COUNT.format(n);
}

/** A number of things, for example `1,200 viewers`. */
export function formatCount(n: number, one: string, many = `${one}s`): string {
  return `${COUNT.format(n)} ${n === 1 ? one : many}`;
}

/** The units of durations, from the largest. */
export const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** A duration in its two greatest units, for example `2h 5m`. */
export function formatDuration(ms: number): string {
  const parts: string[] = [];
  let restMs = Math.max(0, Math.round(ms / 1_000) * 1_000);
  for (const [unit, unitMs] of UNITS) {
    const count = Math.floor(restMs / unitMs);
    if (count > 0) parts.push(COUNT.format(count) + unit);
    restMs -= count * unitMs;
  }
  return parts.slice(0, 2).join(' ') || '0s';
}

/** A minute after midnight, for example `07:30`. */
export function formatMinute(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

/** Names as a list in a sentence: `a, b or c`. */
export function formatList(names: readonly string[], last: 'or' | 'and' = 'or'): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`;
}

/** Text without control characters. Each character keeps its column. */
export function visible(text: string): string {
  return text.replace(/\t/gu, ' ').replace(/\p{Cc}/gu, '\uFFFD');
}
