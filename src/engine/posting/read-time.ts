import type { TypedTime } from './posting.ts';
import { clockAnomalyAt } from '#src/rules/clocks/clock-anomalies.ts';
import { zone, type Zone } from '#src/rules/clocks/zone.ts';
import { parseInstant } from '#src/rules/grammar/instant.ts';
import { clockTimeIn, withoutPart } from './clock-time.ts';
import { daysIn } from './read-day.ts';
import { lengthIn } from './time-length.ts';
import { timesToDigits } from './times-to-digits.ts';

const DAY_MS = 86_400_000;
/** A later time is probably a mistake. */
const FURTHEST_MS = 366 * DAY_MS;
const LONGEST = 60;
/** People copy examples with their quotes. */
const QUOTES = /["'`\u2018-\u201F\u00AB\u00BB]/gu;

export interface Here {
  /** The IANA time zone of the person. */
  readonly zone: string;
  readonly nowMs: number;
}

/** Parses a time that a person typed in English or German. */
export function readTime(typed: string, here: Here): TypedTime {
  const text = typed.normalize('NFKC').replaceAll(QUOTES, '').trim().toLowerCase().replaceAll(/\s+/gu, ' ');
  if (text === '' || text.length > LONGEST) return { kind: 'unclear' };
  const clocks = zone(here.zone);
  const length = lengthIn(text);
  if (length) {
    const wallMs = clocks.wallAt(here.nowMs) + length.days * DAY_MS;
    return judged((length.days === 0 ? here.nowMs : clocks.firstInstantOf(wallMs)) + length.ms, here);
  }
  const written = /[\dt ]\d{1,2}:\d{2}/u.test(text) ? parseInstant(text) : undefined;
  if (written) return 'atMs' in written ? judged(written.atMs, here) : atWall(written.wallMs, clocks, here);
  return onDay(timesToDigits(text), clocks, here);
}

function onDay(text: string, clocks: Zone, here: Here): TypedTime {
  const nowWallMs = clocks.wallAt(here.nowMs);
  const time = clockTimeIn(text);
  const walls = (time?.dayMs ?? []).flatMap((dayMs) => daysIn(time?.day, { nowWallMs, dayMs })?.map((day) => day + dayMs) ?? []);
  if (walls.length === 0) return { kind: daysIn(withoutPart(text), { nowWallMs, dayMs: DAY_MS - 1 }) ? 'dayOnly' : 'unclear' };
  const read = [...new Set(walls)].toSorted((a, b) => a - b).map((wallMs) => ({ wallMs, time: atWall(wallMs, clocks, here) }));
  const [either, or, ...others] = read.filter((one) => one.time.kind !== 'past');
  if (!either) return read.at(-1)?.time ?? { kind: 'unclear' };
  if (others.length > 0) return { kind: 'unclear' };
  if (!or || !('at' in either.time)) return either.time;
  return { kind: 'ambiguous', either: either.time.at, or: new Date(clocks.firstInstantOf(or.wallMs)) };
}

/** The instant of a wall time. */
function atWall(wallMs: number, clocks: Zone, here: Here): TypedTime {
  const firstMs = clocks.firstInstantOf(wallMs);
  const odd = clockAnomalyAt(wallMs, here.zone);
  const sound = judged(firstMs, here);
  if (odd?.kind === 'skipped' && sound.kind === 'at') return { kind: 'skipped', at: new Date(firstMs) };
  if (odd?.kind !== 'repeated') return sound;
  const secondMs = wallMs - clocks.spanAt(clocks.spanAt(firstMs).untilMs).offsetMs;
  // The first instant may be in the past while the second is not.
  return sound.kind === 'at' ? { kind: 'twice', either: new Date(firstMs), or: new Date(secondMs) } : judged(secondMs, here);
}

function judged(atMs: number, { nowMs }: Here): TypedTime {
  const at = new Date(atMs);
  if (atMs <= nowMs) return { kind: 'past', at };
  return { kind: isTooFar(at, nowMs) ? 'far' : 'at', at };
}

/** Whether a post cannot have this time, because it is more than a year away. */
export function isTooFar(at: Date, nowMs: number): boolean {
  return at.getTime() - nowMs > FURTHEST_MS;
}
