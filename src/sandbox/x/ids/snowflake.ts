import { below, createDice } from '../../world/dice.ts';

/** The instant that ids count from. */
const EPOCH_MS = 1_288_834_974_657;
const LOW_BITS = 22n;
const LOW_VALUES = 2 ** 22;

/** An id as X gives them out: the instant, and what tells apart what came in the same millisecond. */
export function snowflake(atMs: number, low: number): string {
  return String((BigInt(Math.max(0, Math.floor(atMs) - EPOCH_MS)) << LOW_BITS) | BigInt(low % LOW_VALUES));
}

/** When the thing with this id came to be. */
export function instantOf(id: string): number {
  return Number(BigInt(id) >> LOW_BITS) + EPOCH_MS;
}

/** Low bits that are the same for the same name. */
export function lowOf(name: string): number {
  return below(LOW_VALUES, createDice(0, name)(0));
}

/** Whether a text has the form of an id. */
export function isId(text: string): boolean {
  return /^\d{1,19}$/.test(text);
}
