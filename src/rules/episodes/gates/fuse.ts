import type { RuleMemory } from '../../episode.ts';
import type { Rule } from '../../rule.ts';
import { durationText } from '../../wording/duration-text.ts';
import { count } from '../telling/wording.ts';

/** Counts what is sent, and blows where it is too much. */
export interface Fuse {
  /** Why nothing is sent; asking for one too many blows it. */
  refusal(): string | undefined;
  count(): void;
  memory(): Pick<RuleMemory, 'fusedMs' | 'blownMs'>;
}

/** The fuse of a rule in one slot. */
export function createFuse({ fuse }: Rule, memory: RuleMemory, slotMs: number): Fuse {
  let { blownMs, fusedMs = [] } = memory;

  return {
    refusal() {
      if (blownMs !== undefined && blownMs < slotMs)
        return `fuse: it blew ${durationText(slotMs - blownMs)} ago; the rule is paused until it is resumed`;
      const recent = fusedMs.filter((ms) => slotMs - ms < fuse.perMs).length;
      if (blownMs === undefined && recent < fuse.firings) return undefined;
      blownMs = slotMs;
      return `fuse: ${count(recent, 'firing')} in ${durationText(fuse.perMs)}, no more than ${fuse.firings} are allowed; the rule is paused until it is resumed`;
    },

    count() {
      fusedMs = [...fusedMs.filter((ms) => slotMs - ms < fuse.perMs), slotMs];
    },

    memory: () => ({ fusedMs, blownMs }),
  };
}
