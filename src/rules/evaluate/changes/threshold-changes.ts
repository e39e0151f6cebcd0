import type { Baseline } from '../../episode.ts';
import type { WatchedChange } from '../../rule.ts';
import { numberAt, withValue } from '../items/item-fields.ts';
import { baselineOf, compared, isBegun, isSettled } from './baseline.ts';
import type { Change, Tracked, TrackedItem } from './change.ts';

type Thresholds = Extract<WatchedChange, { readonly kind: 'rose' | 'fell' }>;
type Threshold = Thresholds['lines'][number];

interface TrackedThreshold {
  readonly name: string;
  readonly line: Threshold;
  /** `said`: the number is past the threshold. Absent until the number is known. */
  readonly baseline: Baseline | undefined;
}

/** Tracks a number for `rose` or `fell`. A threshold is armed while its baseline is not past it. */
export function trackThresholds(thresholds: Thresholds, tracked: TrackedItem): Tracked {
  const { episode, previous, isFirst, isFromBaseline, isFromOtherAccount } = tracked;
  const { kind, field, lines } = thresholds;
  const value = numberAt(episode.item, field);
  const before = previous && numberAt(previous, field);
  const all = lines.map((line): TrackedThreshold => {
    const name = `${kind} ${field} ${line.at}`;
    // An item that enters above a threshold has risen past it. An item that enters below has not fallen.
    const entered = isFirst && !isFromBaseline && kind === 'rose' ? { said: false } : undefined;
    const known = isFromOtherAccount ? undefined : (baselineOf(episode, name) ?? entered);
    // A missing number changes nothing.
    const baseline = value === undefined ? known : comparedAt(known, value, { kind, line, before, slotMs: tracked.slotMs });
    return { name, line, baseline };
  });
  const due = value === undefined ? [] : all.filter(({ baseline }) => baseline && isSettled(baseline, tracked));
  const crossed = due.filter(({ baseline }) => baseline?.next === true);
  return {
    baselines: all.flatMap(({ name, baseline }) => {
      if (!baseline) return [];
      const isRearmed = baseline.next === false && due.some((one) => one.name === name);
      return [[name, isRearmed ? { said: false } : baseline] as const];
    }),
    changes: crossed.length === 0 ? [] : [toChange(crossed, thresholds, tracked)],
    begun: all
      .filter(({ baseline }) => baseline?.next === true && isBegun(baseline, tracked))
      .map(({ line }) => ({ kind, field, lines: [line.at], is: value })),
  };
}

function comparedAt(
  baseline: Baseline | undefined,
  value: number,
  {
    kind,
    line,
    before,
    slotMs,
  }: {
    readonly kind: Thresholds['kind'];
    readonly line: Threshold;
    readonly before: number | undefined;
    readonly slotMs: number;
  },
): Baseline {
  const isPast = kind === 'rose' ? value > line.at : value < line.at;
  const isBack = kind === 'rose' ? value <= line.rearm : value >= line.rearm;
  if (!baseline) return { said: isPast };
  const side = isPast ? true : isBack ? false : baseline.said;
  return compared(baseline, side, { slotMs, from: before });
}

function toChange(crossed: readonly TrackedThreshold[], { kind, field }: Thresholds, { episode, previous }: TrackedItem): Change {
  const from = crossed[0]?.baseline?.from;
  const was = typeof from === 'number' ? from : undefined;
  return {
    kind,
    isWatched: true,
    previous: previous && withValue(previous, field, from),
    detail: { kind, field, lines: crossed.map(({ line }) => line.at), is: numberAt(episode.item, field), was },
    baselines: crossed.map(({ name }) => name),
    wasDeferred: crossed.every(({ baseline }) => baseline?.held === true),
  };
}
