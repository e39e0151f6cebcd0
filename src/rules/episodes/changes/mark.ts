import { canonical, type Json } from '#src/operation/json.ts';
import type { Mark } from '../../episode.ts';

/** The mark after a poll that shows `value`; the same object where nothing is new. `from` is what a reader would call the old value. */
export function lookedAt(
  mark: Mark,
  value: Json | undefined,
  { slotMs, from }: { readonly slotMs: number; readonly from: Json | undefined },
): Mark {
  // A value that turned back was never there.
  if (isSame(value, mark.said)) return isWaiting(mark) ? { said: mark.said } : mark;
  if (isWaiting(mark) && isSame(value, mark.next)) return mark;
  return { said: mark.said, next: value, sinceMs: slotMs, from: isWaiting(mark) ? mark.from : from };
}

/** Whether there is a value that was not said yet. */
function isWaiting({ sinceMs }: Mark): boolean {
  return sinceMs !== undefined;
}

/** How long the new value has to hold yet; undefined: there is none. */
export function restMs(
  { sinceMs }: Mark,
  { slotMs, settleMs }: { readonly slotMs: number; readonly settleMs: number },
): number | undefined {
  return sinceMs === undefined ? undefined : Math.max(0, settleMs - (slotMs - sinceMs));
}

function isSame(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  return canonical(a) === canonical(b);
}
