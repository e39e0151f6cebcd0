import type { PlayedGame } from '../content/games.ts';
import { type Zone, localHour } from '../content/people.ts';
import type { Streamer } from '../people.ts';

/** A stretch of time: from its first millisecond up to, and without, its last. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What is played, and under which title, from an instant on. */
export interface Chapter {
  readonly fromMs: number;
  readonly game: PlayedGame;
  readonly title: string;
}

/** How many watch. */
interface Audience {
  /** Who comes every time. */
  readonly steady: number;
  /** How long these take to come. */
  readonly warmUpSeconds: number;
  /** Who looks in at the start, and leaves within minutes. */
  readonly wave: number;
  /** From 0 to 1: tells this show's ups and downs from others'. */
  readonly rhythm: number;
}

/** One stream as it was planned, from its start to its end. */
export interface Show {
  readonly id: string;
  readonly streamer: Streamer;
  readonly startMs: number;
  readonly endMs: number;
  /** When the picture is gone and the stream is not. */
  readonly breaks: readonly Span[];
  /** In order; the first begins with the show. */
  readonly chapters: readonly [Chapter, ...Chapter[]];
  readonly tags: readonly string[];
  readonly audience: Audience;
}

/** A part of the schedule. */
export interface Timetable {
  /** The shows that are on at some instant from `fromMs` to `toMs`, both included: everybody's, or of whom `only` takes. */
  showsBetween(fromMs: number, toMs: number, only?: (streamer: Streamer) => boolean): readonly Show[];
  /** Those of one streamer, in order; none where they have no seat in this part. */
  showsOf(streamer: Streamer, fromMs: number, toMs: number): readonly Show[];
  findShow(id: string): Show | undefined;
}

/** Whether the show is on; a break is not. */
export function isOnAir({ startMs, endMs, breaks }: Show, atMs: number): boolean {
  return startMs <= atMs && atMs < endMs && !breaks.some(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs);
}

/** Whether it is on, or in a break, at some instant from `fromMs` to `toMs`. */
export function touches({ startMs, endMs }: Show, fromMs: number, toMs: number): boolean {
  return startMs <= toMs && fromMs < endMs;
}

/** What is played at that instant; after the end, what was played last. */
export function chapterAt({ chapters }: Show, atMs: number): Chapter {
  return chapters.findLast(({ fromMs }) => fromMs <= atMs) ?? chapters[0];
}

/** Every instant at which something about the show changes, viewers apart. */
export function changePoints({ startMs, endMs, breaks, chapters }: Show): readonly number[] {
  return [startMs, endMs, ...breaks.flatMap(({ fromMs, toMs }) => [fromMs, toMs]), ...chapters.map(({ fromMs }) => fromMs)];
}

const PRIME_HOUR = 20.5;
const FULL_CIRCLE = 2 * Math.PI;

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

/** The share of the regular viewers who are awake. */
function awake(zone: Zone, atMs: number): number {
  const angle = ((localHour(zone, atMs) - PRIME_HOUR) / 24) * FULL_CIRCLE;
  return 0.75 + 0.25 * Math.cos(angle);
}

/** Around 1, never a jump, and hardly ever the same for two shows: a slow swing of a tenth and a quick small one. */
function wandering(rhythm: number, atMs: number): number {
  const slow = swing(atMs / (360_000 + 300_000 * rhythm) + 7 * rhythm);
  const quick = swing(atMs / (60_000 + 40_000 * rhythm) + 31 * rhythm);
  return 1 + 0.1 * slow + 0.04 * quick;
}

/** Whole turns are taken off first: the sine of a large number is slow. */
function swing(cycles: number): number {
  return Math.sin(FULL_CIRCLE * (cycles % 1));
}
