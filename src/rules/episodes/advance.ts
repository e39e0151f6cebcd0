import type { RuleState } from '../episode.ts';
import type { Poll } from '../poll.ts';
import type { Rule } from '../rule.ts';
import { advanceList } from './advance-list.ts';
import type { Advance } from './advance-result.ts';
import { advanceSlot } from './advance-slot.ts';
import { decide, said } from './telling/said.ts';

/** How long to wait until what was held is looked at again where that failed. */
const AGAIN_MS = 300_000;

export type { Advance } from './advance-result.ts';

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
  /**
   * Whether the rule is run only because it wanted to be at this instant (`wakeMs`), which is no slot of its schedule.
   * Left out, it is taken for that at the end of quiet hours, unless that lies on the grid of `every`.
   */
  readonly woken?: boolean | undefined;
}

/** Takes a rule from one slot to the next: the same for the same slot, state and answer, whenever it is asked. */
export function advance(options: AdvanceOptions): Advance {
  const { rule, state, poll, slotMs, gap } = options;
  const { watched } = rule;
  const woken = options.woken ?? isWoken(options);
  if (!watched) return advanceSlot({ rule, state, slotMs, woken });
  if (!poll || 'failure' in poll) {
    const { quietEndMs } = state.memory;
    const wakeMs = quietEndMs === undefined || quietEndMs > slotMs ? quietEndMs : slotMs + AGAIN_MS;
    return { ...said({ decisions: [decide('failed', { kind: 'unread', ...poll }, { rule, slotMs })] }), wakeMs };
  }
  return advanceList({ rule, watched, state, list: poll, slotMs, gap, woken });
}

function isWoken({ rule: { schedule }, state, slotMs }: AdvanceOptions): boolean {
  if (slotMs !== state.memory.quietEndMs) return false;
  if ('atMs' in schedule) return schedule.atMs !== slotMs;
  return 'cron' in schedule || slotMs % schedule.everyMs !== 0;
}
