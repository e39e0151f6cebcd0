import { zone } from '#src/rules/clocks/zone.ts';

const DAY_MS = 86_400_000;
const LONGEST_DAYS = 400;

export interface QueueTimeOptions {
  /** The times of day, for example `09:30`. */
  readonly times: readonly string[];
  /** The IANA time zone of the times. */
  readonly zone: string;
  readonly nowMs: number;
  /** The reserved times. */
  readonly taken: ReadonlySet<number>;
}

/** The next free time of the queue; undefined if the queue has no times. */
export function nextQueueTime({ times, zone: name, nowMs, taken }: QueueTimeOptions): Date | undefined {
  const clocks = zone(name);
  const wallMs = clocks.wallAt(nowMs);
  const midnight = Math.floor(wallMs / DAY_MS) * DAY_MS;
  const dayMs = times.map(toMs).toSorted((a, b) => a - b);
  for (let day = 0; day < LONGEST_DAYS; day++) {
    for (const timeMs of dayMs) {
      const atMs = clocks.firstInstantOf(midnight + day * DAY_MS + timeMs);
      if (atMs > nowMs && !taken.has(atMs)) return new Date(atMs);
    }
  }
  return undefined;
}

function toMs(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return (hours * 60 + minutes) * 60_000;
}
