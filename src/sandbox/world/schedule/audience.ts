import { localHour, type Zone } from '../content/zones.ts';
import type { Show } from './show.ts';

const PRIME_HOUR = 20.5;
const TURN = 2 * Math.PI;

/** How many watch the show at that instant. */
export function viewersOf({ startMs, streamer, audience }: Show, atMs: number): number {
  const ageSeconds = (atMs - startMs) / 1000;
  const came = 1 - Math.exp(-ageSeconds / audience.warmUpSeconds);
  const steady = audience.steady * came * awake(streamer.zone, atMs);
  const wave = audience.wave * wavePart(ageSeconds);
  return Math.max(0, Math.round((steady + wave) * wandering(audience.rhythm, atMs)));
}

/** A wave is there within seconds, holds for a minute and has ebbed away after three. */
function wavePart(ageSeconds: number): number {
  if (ageSeconds > 300) return 0;
  return (1 - Math.exp(-ageSeconds / 2.5)) * Math.exp(-((ageSeconds / 110) ** 3));
}

/** What part of the regular viewers is awake. */
function awake(zone: Zone, atMs: number): number {
  const angle = ((localHour(zone, atMs) - PRIME_HOUR) / 24) * TURN;
  return 0.75 + 0.25 * Math.cos(angle);
}

/** Around 1, never a jump, and hardly ever the same for two shows: a slow swing of a tenth and a quick small one. */
function wandering(rhythm: number, atMs: number): number {
  const slow = swing(atMs / (360_000 + 300_000 * rhythm) + 7 * rhythm);
  const quick = swing(atMs / (60_000 + 40_000 * rhythm) + 31 * rhythm);
  return 1 + 0.1 * slow + 0.04 * quick;
}

/** Whole turns are taken off first: the sine of a large number is slow. */
function swing(turns: number): number {
  return Math.sin(TURN * (turns % 1));
}
