import type { Baseline } from '#src/rules/episode.ts';
import type { WatchedChange } from '#src/rules/rule.ts';
import { numberAt, withValue } from '../items/item-fields.ts';
import { baselineOf, isBegun, isSettled } from './baseline.ts';
import type { Tracked, TrackedItem } from './change.ts';

type Milestones = Extract<WatchedChange, { readonly every: number }>;

/** Tracks a number for `rose` with `every`. Each multiple is announced once in an episode, and a jump over several as one change. */
export function trackMilestones({ field, every }: Milestones, tracked: TrackedItem): Tracked | undefined {
  const { episode, previous, isFirst, isFromBaseline, isFromOtherAccount, slotMs } = tracked;
  const name = `rose ${field} every ${every}`;
  // An item that enters above a multiple has reached it.
  const entered = isFirst && !isFromBaseline ? { announced: 0 } : undefined;
  const known = isFromOtherAccount ? undefined : (baselineOf(episode, name) ?? entered);
  const value = numberAt(episode.item, field);
  // A missing number changes nothing.
  if (value === undefined) return known && { baselines: [[name, known]], changes: [], begun: [] };

  const before = previous && numberAt(previous, field);
  const baseline = reached(known, Math.max(0, Math.floor(value / every) * every), { slotMs, from: before });
  const { announced, next: threshold, from } = baseline;
  const shown = { baselines: [[name, baseline] as const], changes: [], begun: [] };
  if (typeof threshold !== 'number') return shown;
  const detail = { kind: 'rose', field, thresholds: [threshold], every, value } as const;
  if (!isSettled(baseline, tracked)) return isBegun(baseline, tracked) ? { ...shown, begun: [detail] } : shown;
  const change = {
    kind: 'rose',
    isWatched: true,
    previous: previous && withValue(previous, field, from),
    threshold,
    previousThreshold: typeof announced === 'number' && announced > 0 ? announced : undefined,
    detail: { ...detail, previous: typeof from === 'number' ? from : undefined },
    baselines: [name],
    wasDeferred: baseline.deferred === true,
  } as const;
  return { ...shown, changes: [change] };
}

/** The baseline after a poll that shows a number at or above `multiple`. `announced` is the greatest multiple that was announced. */
function reached(
  baseline: Baseline | undefined,
  multiple: number,
  { slotMs, from }: { readonly slotMs: number; readonly from: number | undefined },
): Baseline {
  if (!baseline) return { announced: multiple };
  const { announced, next } = baseline;
  if (typeof announced === 'number' && multiple <= announced) return next === undefined ? baseline : { announced };
  if (typeof next !== 'number') return { announced, next: multiple, sinceMs: slotMs, from };
  // A greater number has not held for `settle` yet, except after a deferral.
  return multiple < next || (baseline.deferred && multiple > next) ? { ...baseline, next: multiple } : baseline;
}
