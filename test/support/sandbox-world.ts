import { openJournal } from '#sandbox/journal-sqlite.ts';
import { createWorld } from '#sandbox/world/create-world.ts';
import type { Broadcast, World } from '#sandbox/world/world.ts';

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** An instant on an ordinary Friday evening. */
export const EVENING_MS = Date.parse('2026-11-20T18:00:00Z');

/** A world without a past of orders. */
export function freshWorld(seed = 1): World {
  return createWorld({ seed, journal: openJournal() });
}

/** The top five of a game, best first. */
export function topFive(world: World, game: string, atMs: number): readonly string[] {
  return handlesOf(world.liveAt(atMs).filter((broadcast) => broadcast.game.name === game)).slice(0, 5);
}

function handlesOf(broadcasts: readonly Broadcast[]): readonly string[] {
  return broadcasts.map(({ person }) => person.handle);
}

/** From `fromMs` up to, and without, `toMs`. */
export function every(stepMs: number, fromMs: number, toMs: number): readonly number[] {
  return Array.from({ length: Math.ceil((toMs - fromMs) / stepMs) }, (_, index) => fromMs + index * stepMs);
}
