import type { AdvanceOptions } from '#src/rules/evaluate/advance.ts';
import type { Advance } from '#src/rules/evaluate/effects/effects.ts';
import { restAfter, unchangedPolls, type Rest, type UnchangedPolls } from '#src/rules/evaluate/unchanged-polls.ts';
import type { Poll } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import { pollDigest } from '../planner/items-text.ts';
import type { Due } from './agenda.ts';
import type { Commit } from './rule-states.ts';

/** The polls that changed nothing in the states of their rules. A slot with an equal poll needs neither the state nor an evaluation. */
export interface UnchangedSlots {
  /** The commit of a slot whose poll equals the last one; undefined if the slot has to be evaluated. `hasGap`: see `Agenda.hasGap`. */
  find(due: Due, poll: Poll | undefined, hasGap: (sinceMs: number) => boolean | undefined): Commit | undefined;
  /** Whether the rule is at rest after a commit from `find`; undefined if it needs its next polls. */
  restOf(rule: Rule): Rest | undefined;
  /** Remembers the result of an evaluated slot, if it was written. */
  keep(options: AdvanceOptions, made: Advance, written: boolean): void;
  /** Remembers whether a commit from `find` was written. */
  repeated(rule: Rule, made: Commit, written: boolean): void;
}

interface Known {
  readonly polls: UnchangedPolls;
  readonly digest: string | undefined;
  readonly rest: Rest | undefined;
  /** The last committed slot. Another process or a command may have committed a later one: then the store refuses the commit. */
  readonly slotMs: number;
}

/** Creates the memory of unchanged polls. It ends with each rule: an edit or a changed list makes another rule. */
export function createUnchangedSlots(): UnchangedSlots {
  const known = new WeakMap<Rule, Known>();
  return {
    find({ rule, slotMs, woken, asked, requested, onCommitted }, poll, hasGap) {
      const last = known.get(rule);
      if (!last || !poll || woken || asked || requested || onCommitted) return undefined;
      if (slotMs > last.polls.untilMs || (hasGap(last.slotMs) ?? isGap(rule, last, slotMs))) return undefined;
      if (pollDigest(poll) !== last.digest) return undefined;
      return { rule: rule.id, slotMs, afterMs: last.slotMs, ...last.polls.at(slotMs), published: rule.published, mayBeLost: true };
    },

    restOf: (rule) => known.get(rule)?.rest,

    keep(options, made, written) {
      const { rule, poll, slotMs } = options;
      const polls = written ? unchangedPolls(options, made) : undefined;
      if (polls && poll) known.set(rule, { polls, digest: pollDigest(poll), rest: restAfter(options, made), slotMs });
      else known.delete(rule);
    },

    repeated(rule, { slotMs }, written) {
      const last = known.get(rule);
      if (last && written) known.set(rule, { ...last, slotMs });
      else known.delete(rule);
    },
  };
}

/** After a gap, a rule may judge its items by their age. */
function isGap({ schedule }: Rule, { slotMs: sinceMs }: Known, slotMs: number): boolean {
  return 'everyMs' in schedule && slotMs - sinceMs > 2 * schedule.everyMs;
}
