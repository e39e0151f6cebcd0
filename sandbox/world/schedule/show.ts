import type { PlayedGame } from '../content/games.ts';
import { type Zone, localHour } from '../content/people.ts';
import type { Streamer } from '../people.ts';

/** A time range without its end. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The game and the title from an instant on. */
export interface Chapter {
  readonly fromMs: number;
  readonly game: PlayedGame;
  readonly title: string;
}

/** The parameters of the viewer count. */
interface Audience {
  /** The regular viewers. */
  readonly steady: number;
  /** The time that they need to arrive. */
  readonly warmUpSeconds: number;
  /** The viewers at the start, who leave within minutes. */
  readonly wave: number;
  /** From 0 to 1: the phase of the changes of this show. */
  readonly rhythm: number;
}

/** A planned stream. */
export interface Show {
  readonly id: string;
  readonly streamer: Streamer;
  readonly startMs: number;
  readonly endMs: number;
  /** Interruptions during which the show is not live. */
  readonly breaks: readonly Span[];
  /** In order; the first begins with the show. */
  readonly chapters: readonly [Chapter, ...Chapter[]];
  readonly tags: readonly string[];
  readonly audience: Audience;
}

/** A part of the schedule. */
export interface Timetable {
  /** The shows between `fromMs` and `toMs`, both included. `only` selects streamers. */
  showsBetween(fromMs: number, toMs: number, only?: (streamer: Streamer) => boolean): readonly Show[];
  /** The shows of a streamer, in order; none if another part of the schedule has the streamer. */
  showsOf(streamer: Streamer, fromMs: number, toMs: number): readonly Show[];
  findShow(id: string): Show | undefined;
}

/** Whether a show is live. It is not live during a break. */
export function isOnAir({ startMs, endMs, breaks }: Show, atMs: number): boolean {
  return startMs <= atMs && atMs < endMs && !breaks.some(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs);
}

/** Whether a show overlaps a time range, breaks included. */
export function touches({ startMs, endMs }: Show, fromMs: number, toMs: number): boolean {
  return startMs <= toMs && fromMs < endMs;
}

/** The chapter at an instant; after the end, the last chapter. */
export function chapterAt({ chapters }: Show, atMs: number): Chapter {
  return chapters.findLast(({ fromMs }) => fromMs <= atMs) ?? chapters[0];
}

/** The instants at which a show changes, without changes of the viewer count. */
export function changePoints({ startMs, endMs, breaks, chapters }: Show): readonly number[] {
  return [startMs, endMs, ...breaks.flatMap(({ fromMs, toMs }) => [fromMs, toMs]), ...chapters.map(({ fromMs }) => fromMs)];
}

const PRIME_HOUR = 20.5;
const FULL_CIRCLE = 2 * Math.PI;

/** The viewer count at an instant. */
export function viewersOf({ startMs, streamer, audience }: Show, atMs: number): number {
  const ageSeconds = (atMs - startMs) / 1000;
  const came = 1 - Math.exp(-ageSeconds / audience.warmUpSeconds);
  const steady = audience.steady * came * awake(streamer.zone, atMs);
  const wave = audience.wave * wavePart(ageSeconds);
  return Math.max(0, Math.round((steady + wave) * fluctuation(audience.rhythm, atMs)));
}

/** A wave rises within seconds, stays for a minute and is gone after three minutes. */
function wavePart(ageSeconds: number): number {
  if (ageSeconds > 300) return 0;
  return (1 - Math.exp(-ageSeconds / 2.5)) * Math.exp(-((ageSeconds / 110) ** 3));
}

/** The share of the regular viewers who are awake. */
function awake(zone: Zone, atMs: number): number {
  const angle = ((localHour(zone, atMs) - PRIME_HOUR) / 24) * FULL_CIRCLE;
  return 0.75 + 0.25 * Math.cos(angle);
}

/** A factor around 1 that changes slowly by a tenth and quickly by less. The rhythm separates shows. */
function fluctuation(rhythm: number, atMs: number): number {
  const slow = swing(atMs / (360_000 + 300_000 * rhythm) + 7 * rhythm);
  const quick = swing(atMs / (60_000 + 40_000 * rhythm) + 31 * rhythm);
  return 1 + 0.1 * slow + 0.04 * quick;
}

/** The sine of a large number is slow, so whole cycles are removed first. */
function swing(cycles: number): number {
  return Math.sin(FULL_CIRCLE * (cycles % 1));
}
