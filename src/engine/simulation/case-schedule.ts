import type { Rule } from '#src/rules/rule.ts';
import type { NotASlot } from '#src/engine/testing/case-result.ts';
import { formatOffset, type TestPoll } from '#src/engine/testing/rule-tests.ts';
import { slotsOf } from '#src/engine/scheduler/slots.ts';

/** A poll of a case at an instant without a slot. */
export interface SlotGap extends NotASlot {
  readonly atMs: number;
  /** Set if the poll has items or an error, which the rule would not read. */
  readonly error?: string | undefined;
}

/** The slots of a rule in a case. */
export interface CaseSchedule {
  /** Whether a poll is at a slot, is the poll of a new rule before its first slot, or is in the gap between two slots. */
  at(poll: TestPoll): 'slot' | 'first' | SlotGap;
}

/**
 * The schedule of a rule with `cron` or `at`. A rule with `every` runs at each poll of a case.
 *
 * A failed poll is repeated between two slots, until a poll succeeds. A rule with `watch` also polls when it is added, at the start of the case.
 */
export function createCaseSchedule({ schedule, watched }: Rule, startMs: number): CaseSchedule {
  if ('everyMs' in schedule) return { at: () => 'slot' };
  const slots = slotsOf(schedule);
  let hasFailed = false;
  return {
    at({ atMs, line, items, error, command, webhook }) {
      if (('command' in schedule && command) || ('webhook' in schedule && webhook)) return 'slot';
      const nextSlotMs = slots.next(startMs + atMs - 1);
      const isSlot = nextSlotMs === startMs + atMs;
      const isPoll = items !== undefined || error !== undefined;
      const isFirst = isPoll && !isSlot && watched !== undefined && atMs === 0;
      if (isSlot || isFirst || (isPoll && hasFailed)) {
        hasFailed = error !== undefined;
        return isFirst ? 'first' : 'slot';
      }
      const nextMs = nextSlotMs === undefined ? undefined : nextSlotMs - startMs;
      if (items === undefined && error === undefined) return { atMs, nextMs };
      const next = nextMs === undefined ? 'no slot follows' : `its next slot is at ${formatOffset(nextMs)}`;
      return { atMs, nextMs, error: `line ${line}: the rule does not poll at ${formatOffset(atMs)}: ${next}` };
    },
  };
}
