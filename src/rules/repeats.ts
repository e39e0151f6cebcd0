import type { Step } from './step.ts';

/** The least value of `every` of a step. */
export const LEAST_REPEAT_MS = 60_000;

/** A part of an episode, in milliseconds since its start: after `fromMs`, until `toMs`. */
export interface EpisodeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The last multiple of `everyMs` in a part of an episode, in milliseconds; undefined: it has none. The start of the episode is none. */
export function lastMultiple(everyMs: number, { fromMs, toMs }: EpisodeSpan): number | undefined {
  const lastMs = Math.floor(toMs / everyMs) * everyMs;
  return lastMs > Math.max(0, fromMs) ? lastMs : undefined;
}

/** The number of multiples of `everyMs` before the last one in a part of an episode. */
export function missedMultiples(everyMs: number, { fromMs, toMs }: EpisodeSpan): number {
  return Math.max(0, Math.floor(toMs / everyMs) - Math.floor(Math.max(0, fromMs) / everyMs) - 1);
}

/** The distinct values of `every` of steps, in their order. */
export function repeatsOf(steps: readonly Step[]): readonly number[] {
  return [...new Set(steps.flatMap(({ everyMs }) => everyMs ?? []))];
}
