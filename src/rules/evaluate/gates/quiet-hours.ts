import { zone, type Zone } from '#src/rules/clocks/zone.ts';
import type { GateSuppression } from '#src/rules/reasons/reason.ts';
import type { Quiet } from '#src/rules/rule.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** A clock change repeats a wall time within this time. */
const REPEAT_MS = 26 * 3_600_000;

interface Window {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** The time around an instant in which quiet hours neither begin nor end. */
interface Span extends Window {
  readonly isQuiet: boolean;
}

const spans = new WeakMap<Quiet, Span>();

/**
 * When the quiet hours around an instant end, in milliseconds since 1970. Undefined outside quiet hours.
 *
 * Quiet hours run from the first `from` to the last `to` of a night, even if a clock change repeats a wall time.
 */
export function quietUntil(quiet: Quiet, atMs: number): number | undefined {
  const known = spans.get(quiet);
  const span = known && known.fromMs <= atMs && atMs < known.untilMs ? known : spanAt(quiet, atMs);
  spans.set(quiet, span);
  return span.isQuiet ? span.untilMs : undefined;
}

function spanAt(quiet: Quiet, atMs: number): Span {
  const windows = windowsAround(quiet, atMs);
  const isInside = ({ fromMs, untilMs }: Window): boolean => fromMs <= atMs && atMs < untilMs;
  let span = windows.find(isInside);
  if (!span) {
    const before = windows.filter(({ untilMs }) => untilMs <= atMs).map(({ untilMs }) => untilMs);
    const after = windows.filter(({ fromMs }) => fromMs > atMs).map(({ fromMs }) => fromMs);
    return { fromMs: Math.max(...before), untilMs: Math.min(...after), isQuiet: false };
  }
  // When clocks are set back in a long night, the next quiet hours begin before these end.
  for (const { fromMs, untilMs } of windows) {
    if (fromMs <= span.untilMs && untilMs > span.untilMs) span = { fromMs: span.fromMs, untilMs };
  }
  return { ...span, isQuiet: true };
}

/** The quiet hours of the days around an instant, in order. */
function windowsAround({ fromMinute, toMinute, timezone }: Quiet, atMs: number): readonly Window[] {
  const clocks = zone(timezone);
  const midnightMs = Math.floor(clocks.wallAt(atMs) / DAY_MS) * DAY_MS;
  const nextDayMs = toMinute <= fromMinute ? DAY_MS : 0;
  return [-2, -1, 0, 1, 2].map((days) => {
    const dayMs = midnightMs + days * DAY_MS;
    return {
      fromMs: clocks.firstInstantOf(dayMs + fromMinute * MINUTE_MS),
      untilMs: lastInstantOf(dayMs + nextDayMs + toMinute * MINUTE_MS, clocks),
    };
  });
}

/** The last instant at which the clocks show `wallMs`. If the clocks skip it: the first instant after the change. */
function lastInstantOf(wallMs: number, clocks: Zone): number {
  const firstMs = clocks.firstInstantOf(wallMs);
  const offsetMs = clocks.wallAt(firstMs + REPEAT_MS) - (firstMs + REPEAT_MS);
  const againMs = wallMs - offsetMs;
  return againMs > firstMs && clocks.wallAt(againMs) === wallMs ? againMs : firstMs;
}

/** The suppression of a firing in quiet hours. */
export function quietHours({ fromMinute, toMinute, timezone }: Quiet, leftMs: number): GateSuppression {
  return { kind: 'quietHours', fromMinute, toMinute, timezone, leftMs };
}
