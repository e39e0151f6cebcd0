import { cronSlots } from '#src/rules/clocks/cron-slots.ts';
import type { CollectedChange } from '#src/rules/episode.ts';
import type { Rule } from '#src/rules/rule.ts';

/** When the steps of `gather` run with fewer changes than `count`: the first time of its cron expression after the oldest change. */
export function gatherDueMs({ gather }: Pick<Rule, 'gather'>, [oldest]: readonly CollectedChange[]): number | undefined {
  return gather?.schedule && oldest ? cronSlots(gather.schedule).next(oldest.atMs) : undefined;
}

/** Why the steps of `gather` run in a slot; undefined: they do not run yet. */
export function gatherDueBy(
  rule: Pick<Rule, 'gather'>,
  gathered: readonly CollectedChange[],
  slotMs: number,
): 'count' | 'time' | undefined {
  if (!rule.gather || gathered.length === 0) return undefined;
  if (gathered.length >= rule.gather.count) return 'count';
  const dueMs = gatherDueMs(rule, gathered);
  return dueMs !== undefined && dueMs <= slotMs ? 'time' : undefined;
}
