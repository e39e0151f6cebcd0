import type { RuleMemory } from '../../episode.ts';
import type { GateSuppression } from '../../reasons/reason.ts';
import type { Rule } from '../../rule.ts';

/** Counts the firings of a rule and blows if there are too many. */
export interface Fuse {
  /** The suppression of a further firing. The call for one firing too many blows the fuse. */
  suppression(): GateSuppression | undefined;
  count(): void;
  memory(): Pick<RuleMemory, 'fusedMs' | 'blownMs'>;
}

/** The fuse of a rule in one slot. */
export function createFuse({ fuse }: Rule, memory: RuleMemory, slotMs: number): Fuse {
  let { blownMs } = memory;
  const { fusedMs = [] } = memory;
  const recentMs = fusedMs.filter((ms) => slotMs - ms < fuse.perMs);
  let counted = 0;

  return {
    suppression() {
      if (blownMs !== undefined && blownMs < slotMs) return { kind: 'fuseBlown', agoMs: slotMs - blownMs };
      const firings = recentMs.length + counted;
      if (blownMs === undefined && firings < fuse.firings) return undefined;
      blownMs = slotMs;
      return { kind: 'fuseBlows', firings, perMs: fuse.perMs, most: fuse.firings };
    },

    count() {
      counted++;
    },

    memory: () => ({ fusedMs: counted === 0 ? fusedMs : [...recentMs, ...Array.from({ length: counted }, () => slotMs)], blownMs }),
  };
}
