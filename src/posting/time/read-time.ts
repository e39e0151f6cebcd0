import type { TypedTime } from '../posting.ts';
import { clockAnomalyAt } from '#src/rules/clocks/clock-anomalies.ts';
import { zone, type Zone } from '#src/rules/clocks/zone.ts';
import { parseInstant } from '#src/rules/grammar/instant.ts';
import { clockTimeIn } from './clock-time.ts';
import { daysIn } from './day.ts';
import { lengthIn } from './length.ts';

const DAY_MS = 86_400_000;
/** What is further away is a slip of the pen. */
const FURTHEST_MS = 366 * DAY_MS;
const LONGEST = 60;

export interface Here {
  /** The IANA zone in which times are typed. */
  readonly zone: string;
  readonly nowMs: number;
}

/** What somebody means who types a time, in English or German. */
export function readTime(typed: string, here: Here): TypedTime {
  const text = typed.normalize('NFC').trim().toLowerCase().replaceAll(/\s+/gu, ' ');
  if (text === '' || text.length > LONGEST) return { kind: 'unclear' };
  const clocks = zone(here.zone);
  const length = lengthIn(text);
  if (length) {
    const wallMs = clocks.wallAt(here.nowMs) + length.days * DAY_MS;
    return judged((length.days === 0 ? here.nowMs : clocks.firstInstantOf(wallMs)) + length.ms, here);
  }
  const written = /[\dt ]\d{1,2}:\d{2}/u.test(text) ? parseInstant(text) : undefined;
  if (written) return 'atMs' in written ? judged(written.atMs, here) : atWall(written.wallMs, clocks, here);
  return onDay(text, clocks, here);
}

function onDay(text: string, clocks: Zone, here: Here): TypedTime {
  const nowWallMs = clocks.wallAt(here.nowMs);
  const time = clockTimeIn(text);
  const days = time && daysIn(time.day, { nowWallMs, dayMs: time.dayMs });
  if (!days) return { kind: daysIn(text, { nowWallMs, dayMs: DAY_MS - 1 }) ? 'dayOnly' : 'unclear' };
  const [either, or] = days;
  const first = atWall(either + time.dayMs, clocks, here);
  if (or === undefined || first.kind === 'past') return or === undefined ? first : atWall(or + time.dayMs, clocks, here);
  const second = clocks.firstInstantOf(or + time.dayMs);
  return 'at' in first ? { kind: 'ambiguous', either: first.at, or: new Date(second) } : first;
}

/** The instant at which the clocks show a time. */
function atWall(wallMs: number, clocks: Zone, here: Here): TypedTime {
  const firstMs = clocks.firstInstantOf(wallMs);
  const odd = clockAnomalyAt(wallMs, here.zone);
  const sound = judged(firstMs, here);
  if (odd?.kind === 'skipped' && sound.kind === 'at') return { kind: 'skipped', at: new Date(firstMs) };
  if (odd?.kind !== 'repeated') return sound;
  const secondMs = wallMs - clocks.spanAt(clocks.spanAt(firstMs).untilMs).offsetMs;
  // The first time may be over while the second is to come.
  return sound.kind === 'at' ? { kind: 'twice', either: new Date(firstMs), or: new Date(secondMs) } : judged(secondMs, here);
}

function judged(atMs: number, { nowMs }: Here): TypedTime {
  const at = new Date(atMs);
  if (atMs <= nowMs) return { kind: 'past', at };
  return { kind: atMs - nowMs > FURTHEST_MS ? 'far' : 'at', at };
}
