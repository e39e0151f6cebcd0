import type { PlayedGame } from '../content/games.ts';
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
