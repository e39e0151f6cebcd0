import type { RuleMemory } from '../../episode.ts';
import type { Refusal } from '../../reasons/refusal.ts';
import type { Rule } from '../../rule.ts';

/** Counts what is sent, and blows where it is too much. */
export interface Fuse {
  /** Why nothing is sent; asking for one too many blows it. */
  refusal(): Refusal | undefined;
  count(): void;
  memory(): Pick<RuleMemory, 'fusedMs' | 'blownMs'>;
}

/** The fuse of a rule in one slot. */
export function createFuse({ fuse }: Rule, memory: RuleMemory, slotMs: number): Fuse {
  let { blownMs, fusedMs = [] } = memory;

  return {
    refusal() {
      if (blownMs !== undefined && blownMs < slotMs) return { kind: 'fuseBlown', agoMs: slotMs - blownMs };
      const recent = fusedMs.filter((ms) => slotMs - ms < fuse.perMs).length;
      if (blownMs === undefined && recent < fuse.firings) return undefined;
      blownMs = slotMs;
      return { kind: 'fuseBlows', firings: recent, perMs: fuse.perMs, most: fuse.firings };
    },

    count() {
      fusedMs = [...fusedMs.filter((ms) => slotMs - ms < fuse.perMs), slotMs];
    },

    memory: () => ({ fusedMs, blownMs }),
  };
}
