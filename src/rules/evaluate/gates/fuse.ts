import type { RuleMemory } from '#src/rules/episode.ts';
import type { GateSuppression } from '#src/rules/reasons/reason.ts';
import type { Rule } from '#src/rules/rule.ts';

/** Counts the firings of a rule, and pauses the rule if there are too many. */
export interface Fuse {
  /** The suppression of a further firing. The call for one firing too many pauses the rule. */
  suppression(): GateSuppression | undefined;
  count(): void;
  memory(): Pick<RuleMemory, 'fusedMs' | 'blownMs'>;
}

/** The suppression of a rule that exceeded its limit some time ago. */
export function fuseBlown(fuse: Rule['fuse'], agoMs: number): Extract<GateSuppression, { readonly kind: 'fuseBlown' }> {
  return { kind: 'fuseBlown', agoMs, limit: fuse.firings, perMs: fuse.perMs };
}

/** The fuse of a rule in one slot. */
export function createFuse({ fuse }: Rule, memory: RuleMemory, slotMs: number): Fuse {
  let { blownMs } = memory;
  const { fusedMs = [] } = memory;
  const recentMs = fusedMs.filter((ms) => slotMs - ms < fuse.perMs);
  let counted = 0;

  return {
    suppression() {
      if (blownMs !== undefined && blownMs < slotMs) return fuseBlown(fuse, slotMs - blownMs);
      const firings = recentMs.length + counted;
      if (blownMs === undefined && firings < fuse.firings) return undefined;
      blownMs = slotMs;
      return { kind: 'fuseLimitReached', firings, perMs: fuse.perMs, limit: fuse.firings };
    },

    count() {
      counted++;
    },

    memory: () => ({ fusedMs: counted === 0 ? fusedMs : [...recentMs, ...Array.from({ length: counted }, () => slotMs)], blownMs }),
  };
}
