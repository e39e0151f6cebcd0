import type { Baseline } from '#src/rules/episode.ts';
import type { WatchedChange } from '#src/rules/rule.ts';
import { numberAt, withValue } from '../items/item-fields.ts';
import { baselineOf, compared, isBegun, isSettled } from './baseline.ts';
import type { Change, Tracked, TrackedItem } from './change.ts';

type Thresholds = Extract<WatchedChange, { readonly lines: unknown }>;
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
    const entered = isFirst && !isFromBaseline && kind === 'rose' ? { announced: false } : undefined;
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
      return [[name, isRearmed ? { announced: false } : baseline] as const];
    }),
    changes: crossed.length === 0 ? [] : [toChange(crossed, { all, thresholds, tracked })],
    begun: all
      .filter(({ baseline }) => baseline?.next === true && isBegun(baseline, tracked))
      .map(({ line }) => ({ kind, field, thresholds: [line.at], value })),
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
  if (!baseline) return { announced: isPast };
  const side = isPast ? true : isBack ? false : baseline.announced;
  return compared(baseline, side, { slotMs, from: before });
}

function toChange(
  crossed: readonly TrackedThreshold[],
  {
    all,
    thresholds: { kind, field },
    tracked: { episode, previous },
  }: { readonly all: readonly TrackedThreshold[]; readonly thresholds: Thresholds; readonly tracked: TrackedItem },
): Change {
  const from = crossed[0]?.baseline?.from;
  const before = typeof from === 'number' ? from : undefined;
  return {
    kind,
    isWatched: true,
    previous: previous && withValue(previous, field, from),
    threshold: lastOf(crossed, kind),
    previousThreshold: lastOf(
      all.filter(({ baseline }) => baseline?.announced === true),
      kind,
    ),
    detail: { kind, field, thresholds: crossed.map(({ line }) => line.at), value: numberAt(episode.item, field), previous: before },
    baselines: crossed.map(({ name }) => name),
    wasDeferred: crossed.every(({ baseline }) => baseline?.deferred === true),
  };
}

/** The threshold that a number passes last; undefined without any. */
function lastOf(some: readonly TrackedThreshold[], kind: Thresholds['kind']): number | undefined {
  if (some.length === 0) return undefined;
  const at = some.map(({ line }) => line.at);
  return kind === 'rose' ? Math.max(...at) : Math.min(...at);
}
