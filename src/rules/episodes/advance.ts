import type { RuleState, StateChange } from '../episode.ts';
import type { Poll } from '../poll.ts';
import type { Rule } from '../rule.ts';
import { advanceList } from './advance-list.ts';
import { fireSlot } from './telling/fire.ts';
import { createGates } from './telling/gates.ts';
import { decide, said, type Said } from './telling/said.ts';
import { slotScope } from './telling/scope.ts';

export interface AdvanceOptions {
  readonly rule: Rule;
  readonly state: RuleState;
  /** What was read; a rule that watches nothing has none. */
  readonly poll?: Poll | undefined;
  /** The instant of the slot, in milliseconds since 1970. */
  readonly slotMs: number;
  /**
   * Whether more than two slots passed since the last good poll (`state.memory.lastPollMs`).
   * Left out, it is reckoned where the schedule is `every`; where it is `cron` there is no gap.
   */
  readonly gap?: boolean | undefined;
}

/** What one slot of one rule brings about. */
export interface Advance extends Said {
  /** Absent: nothing is to be remembered. */
  readonly change?: StateChange | undefined;
}

/** Takes a rule from one slot to the next: the same for the same slot, state and answer, whenever it is asked. */
export function advance({ rule, state, poll, slotMs, gap }: AdvanceOptions): Advance {
  const { watched } = rule;
  if (!watched) return advanceSlot({ rule, state, slotMs });
  if (!poll || 'failure' in poll) {
    const reason = `nothing could be read: ${poll?.failure ?? 'there was no answer'}`;
    return said({ decisions: [decide('failed', reason, { rule, slotMs })] });
  }
  return advanceList({ rule, watched, state, list: poll, slotMs, gap });
}

/** A slot of a rule that watches nothing: it fires unless a gate refuses. */
function advanceSlot({ rule, state, slotMs }: Pick<AdvanceOptions, 'rule' | 'state' | 'slotMs'>): Advance {
  const scope = slotScope(rule, slotMs);
  const gates = createGates({ rule, memory: state.memory, slotMs });
  const refusal = gates.refusal(scope);
  if (refusal !== undefined) return said({ decisions: [decide('refused', `nothing is done: ${refusal}`, { rule, slotMs })] });
  gates.pass();
  return {
    ...said({ firings: [fireSlot({ rule, slotMs, scope })], decisions: [decide('fired', 'its time came', { rule, slotMs })] }),
    change: { memory: gates.memory(), put: [], drop: [] },
  };
}
