import { canonical, type Json } from '#src/clients/operation/json.ts';
import type { Baseline, Episode } from '#src/rules/episode.ts';
import type { TrackedItem } from './change.ts';

export function baselineOf({ baselines }: Episode, name: string): Baseline | undefined {
  return baselines && Object.hasOwn(baselines, name) ? baselines[name] : undefined;
}

/** The baseline after a poll that shows `value`. Returns the same object if nothing changed. `from` is the old value for readers. */
export function compared(
  baseline: Baseline,
  value: Json | undefined,
  { slotMs, from }: { readonly slotMs: number; readonly from: Json | undefined },
): Baseline {
  const isPending = baseline.sinceMs !== undefined;
  // A value that returns before it has settled never changed.
  if (isSame(value, baseline.announced)) return isPending ? { announced: baseline.announced } : baseline;
  if (isPending && isSame(value, baseline.next)) return baseline;
  return { announced: baseline.announced, next: value, sinceMs: slotMs, from: isPending ? baseline.from : from };
}

/** Whether the new value of a baseline has held for `settle`. */
export function isSettled({ sinceMs }: Baseline, { slotMs, settleMs }: Pick<TrackedItem, 'slotMs' | 'settleMs'>): boolean {
  return sinceMs !== undefined && slotMs - sinceMs >= settleMs;
}

/** Whether the new value of a baseline appeared in this poll and still has to hold. */
export function isBegun({ sinceMs }: Baseline, { slotMs, settleMs }: Pick<TrackedItem, 'slotMs' | 'settleMs'>): boolean {
  return sinceMs === slotMs && settleMs > 0;
}

function isSame(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  return canonical(a) === canonical(b);
}
