import type { Recovery } from './platform.ts';

/** The clocks of two machines may be apart by as much. */
export const CLOCKS_APART_MS = 60_000;
/** A clock that is set wrong may be ahead by as much. */
export const CLOCK_WRONG_MS = 24 * 60 * 60_000;

/** From when on a record is that of a write that was begun at `since`, by the clock of its platform. */
export function soonestMs(since: Date): number {
  return since.getTime() - CLOCKS_APART_MS;
}

/** From when on a record may be that of a write that was begun at `since`, if the clock of this machine is wrong. */
export function doubtfulMs(since: Date): number {
  return since.getTime() - CLOCK_WRONG_MS;
}

/** Which one of `alike` is the record of a write that was begun at `since`: the first that is not older; where all are, they leave it in doubt. */
export function lostAmong<T>(
  /** All that say the same and are not known as others, oldest first. */
  alike: readonly T[],
  { since, madeAt }: { readonly since: Date; readonly madeAt: (one: T) => Date | undefined },
): Recovery<T> {
  const madeMs = (one: T): number => madeAt(one)?.getTime() ?? doubtfulMs(since);
  const found = alike.find((one) => madeMs(one) >= soonestMs(since));
  if (found !== undefined) return { found };
  return alike.some((one) => madeMs(one) >= doubtfulMs(since)) ? 'cannotTell' : 'absent';
}
