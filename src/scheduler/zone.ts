/** How a zone's clocks go. Wall time is written as the milliseconds that UTC would have at that reading of the clock. */
export interface Zone {
  /** What the clocks show at an instant. */
  wallAt(atMs: number): number;
  /** The first instant at which the clocks show `wallMs`, or where they skip it, the first after the change. */
  firstInstantOf(wallMs: number): number;
  /** The instant in `(fromMs, toMs]` at which the offset becomes that of `toMs`. */
  changeBetween(fromMs: number, toMs: number): number;
}

// No change of clocks is further from a wall time than this, whatever the offset.
const REACH_MS = 26 * 3_600_000;

/** The clocks of an IANA zone. */
export function zone(name: string): Zone {
  const format = new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset', era: undefined });

  function offsetAt(atMs: number): number {
    const text = format.formatToParts(atMs).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours = '0', minutes = '0', seconds = '0'] = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?/.exec(text) ?? [];
    const size = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
    return sign === '-' ? -size : size;
  }

  function wallAt(atMs: number): number {
    return atMs + offsetAt(atMs);
  }

  function changeBetween(fromMs: number, toMs: number): number {
    const after = offsetAt(toMs);
    let [before, since] = [fromMs, toMs];
    while (since - before > 1) {
      const middle = Math.floor((before + since) / 2);
      if (offsetAt(middle) === after) since = middle;
      else before = middle;
    }
    return since;
  }

  function firstInstantOf(wallMs: number): number {
    const readings = [offsetAt(wallMs - REACH_MS), offsetAt(wallMs + REACH_MS)].map((offset) => wallMs - offset);
    const shown = readings.filter((atMs) => wallAt(atMs) === wallMs);
    if (shown.length > 0) return Math.min(...shown);
    return changeBetween(Math.min(...readings), Math.max(...readings));
  }

  return { wallAt, firstInstantOf, changeBetween };
}
