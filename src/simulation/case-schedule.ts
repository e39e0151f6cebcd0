import type { Rule } from '#src/rules/rule.ts';
import type { NotASlot } from '#src/rules/testing/case-result.ts';
import { formatOffset, type TestPoll } from '#src/rules/testing/rule-tests.ts';
import { slotsOf } from '#src/scheduler/slots.ts';

/** A poll of a case at an instant without a slot. */
export interface SlotGap extends NotASlot {
  readonly atMs: number;
  /** Set if the poll has items or an error, which the rule would not read. */
  readonly error?: string | undefined;
}

/** The slots of a rule in a case. */
export interface CaseSchedule {
  /** The gap between two slots in which a poll is; undefined if the rule runs. */
  gapAt(poll: TestPoll): SlotGap | undefined;
}

/**
 * The schedule of a rule with `cron` or `at`. A rule with `every` runs at each poll of a case.
 *
 * A failed poll is repeated between two slots, until a poll succeeds.
 */
export function createCaseSchedule({ schedule }: Rule, startMs: number): CaseSchedule {
  if ('everyMs' in schedule) return { gapAt: () => undefined };
  const slots = slotsOf(schedule);
  let hasFailed = false;
  return {
    gapAt({ atMs, line, items, error }) {
      const nextSlotMs = slots.next(startMs + atMs - 1);
      const isRepeat = hasFailed && (items !== undefined || error !== undefined);
      if (nextSlotMs === startMs + atMs || isRepeat) {
        hasFailed = error !== undefined;
        return undefined;
      }
      const nextMs = nextSlotMs === undefined ? undefined : nextSlotMs - startMs;
      if (items === undefined && error === undefined) return { atMs, nextMs };
      const next = nextMs === undefined ? 'no slot follows' : `its next slot is at ${formatOffset(nextMs)}`;
      return { atMs, nextMs, error: `line ${line}: the rule does not poll at ${formatOffset(atMs)}: ${next}` };
    },
  };
}
