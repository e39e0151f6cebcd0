/** A time in which the clocks of a zone are not changed. */
interface ClockSpan {
  readonly fromMs: number;
  /** The first instant that is not in it any more: the next change, if there is one. */
  readonly untilMs: number;
  /** What the clocks show, less UTC. */
  readonly offsetMs: number;
}

/** How a zone's clocks go. Wall time is written as the milliseconds that UTC would have at that reading of the clock. */
export interface Zone {
  /** What the clocks show at an instant. */
  wallAt(atMs: number): number;
  /** The first instant at which the clocks show `wallMs`, or where they skip it, the first after the change. */
  firstInstantOf(wallMs: number): number;
  /** The time around an instant in which the clocks are not changed. */
  spanAt(atMs: number): ClockSpan;
}

const DAY_MS = 86_400_000;
// No change of clocks is further from a wall time than this, whatever the offset.
const REACH_MS = 26 * 3_600_000;
/** How far a span reaches where no change ends it. */
const LONGEST_DAYS = 400;

const zones = new Map<string, Zone>();

/** The clocks of an IANA zone: the same object for the same name, as what it took to find the changes is worth keeping. */
export function zone(name: string): Zone {
  // However it is spelt, it is one of few.
  const key = name.toLowerCase();
  const known = zones.get(key) ?? createZone(name);
  zones.set(key, known);
  return known;
}

function createZone(name: string): Zone {
  const format = new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset', era: undefined });
  const spans: ClockSpan[] = [];

  function offsetAt(atMs: number): number {
    const text = format.formatToParts(atMs).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours = '0', minutes = '0', seconds = '0'] = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?/.exec(text) ?? [];
    const size = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
    return sign === '-' ? -size : size;
  }

  function spanAt(atMs: number): ClockSpan {
    const known = spans.find(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs);
    if (known) return known;
    const offsetMs = offsetAt(atMs);
    const span = { fromMs: edgeOf(atMs, offsetMs, -DAY_MS), untilMs: edgeOf(atMs, offsetMs, DAY_MS), offsetMs };
    spans.push(span);
    return span;
  }

  /** How far `offsetMs` holds from an instant in steps of a day, forwards or back: the first instant behind a change. */
  function edgeOf(atMs: number, offsetMs: number, stepMs: number): number {
    let inside = atMs;
    for (let day = 0; day < LONGEST_DAYS; day++) {
      const outside = inside + stepMs;
      if (offsetAt(outside) !== offsetMs) return firstBehind(Math.min(inside, outside), Math.max(inside, outside));
      inside = outside;
    }
    return inside;
  }

  /** The first instant in `(fromMs, toMs]` with the offset of `toMs`. */
  function firstBehind(fromMs: number, toMs: number): number {
    const after = offsetAt(toMs);
    let [before, since] = [fromMs, toMs];
    while (since - before > 1) {
      const middle = Math.floor((before + since) / 2);
      if (offsetAt(middle) === after) since = middle;
      else before = middle;
    }
    return since;
  }

  const wallAt = (atMs: number): number => atMs + spanAt(atMs).offsetMs;

  function firstInstantOf(wallMs: number): number {
    const readings = [wallMs - REACH_MS, wallMs + REACH_MS].map((atMs) => wallMs - spanAt(atMs).offsetMs);
    const shown = readings.filter((atMs) => wallAt(atMs) === wallMs);
    if (shown.length > 0) return Math.min(...shown);
    return spanAt(Math.max(...readings)).fromMs;
  }

  return { wallAt, firstInstantOf, spanAt };
}
