/** A time without a clock change. */
interface ClockSpan {
  readonly fromMs: number;
  /** The end, exclusive: the next change, or where the search for it ended. */
  readonly untilMs: number;
  /** Wall time minus UTC. */
  readonly offsetMs: number;
}

/** The clocks of a time zone. Wall time is in milliseconds, as if the wall clock were UTC. */
export interface Zone {
  /** The wall time of an instant. */
  wallAt(atMs: number): number;
  /** The wall time minus UTC at an instant. Unlike the others, it does not search for changes, which takes milliseconds for each new year. */
  offsetAt(atMs: number): number;
  /** The first instant with this wall time. If the clocks skip it, the first instant after the change. */
  firstInstantOf(wallMs: number): number;
  /** The span around an instant without a clock change. */
  spanAt(atMs: number): ClockSpan;
}

const DAY_MS = 86_400_000;
// Larger than any UTC offset.
const REACH_MS = 26 * 3_600_000;
/** The longest span that is searched for a change. */
const LONGEST_DAYS = 400;

const zones = new Map<string, Zone>();

/** The clocks of an IANA zone. One object per zone caches its changes. */
export function zone(name: string): Zone {
  // Zone names ignore case.
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

  const knownSpan = (atMs: number): ClockSpan | undefined => spans.find(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs);

  function spanAt(atMs: number): ClockSpan {
    const known = knownSpan(atMs);
    if (known) return known;
    const offsetMs = offsetAt(atMs);
    const span = { fromMs: edgeOf(atMs, offsetMs, -DAY_MS), untilMs: edgeOf(atMs, offsetMs, DAY_MS), offsetMs };
    spans.push(span);
    return span;
  }

  /** Searches in steps of a day, forwards or back, for the end of `offsetMs`. */
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
    return firstBehind(Math.min(...readings), Math.max(...readings));
  }

  return { wallAt, offsetAt: (atMs) => knownSpan(atMs)?.offsetMs ?? offsetAt(atMs), firstInstantOf, spanAt };
}
