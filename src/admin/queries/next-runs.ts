import { slotsOf } from '#src/engine/scheduler/slots.ts';
import type { Rule } from '#src/rules/rule.ts';

const RUNS_SHOWN = 5;

/** The next slots of a rule after an instant, at most five. */
export function nextRunsOf({ schedule }: Pick<Rule, 'schedule'>, nowMs: number): readonly Date[] {
  const slots = slotsOf(schedule);
  const runs: Date[] = [];
  for (let atMs = slots.next(nowMs); atMs !== undefined && runs.length < RUNS_SHOWN; atMs = slots.next(atMs)) runs.push(new Date(atMs));
  return runs;
}
