import type { RuleMemory } from '#src/rules/episode.ts';
import type { GateSuppression } from '#src/rules/reasons/reason.ts';
import type { Rule } from '#src/rules/rule.ts';

/** Firings are remembered at least this long, because an edit may lengthen a cooldown. */
const REMEMBERED_MS = 86_400_000;

/** The cooldown of a rule in one slot. */
export interface Cooldown {
  /** The suppression if the item or the rule fired less than `cooldown` ago. */
  suppression(key: string | undefined): GateSuppression | undefined;
  count(key: string | undefined): void;
  memory(): Pick<RuleMemory, 'firedMs' | 'ruleFiredMs'>;
}

/** The cooldown of a rule in one slot. A counted firing suppresses later firings of the slot. */
export function createCooldown({ cooldown }: Rule, memory: RuleMemory, slotMs: number): Cooldown {
  const countedMs = new Map<string, number>();
  let { ruleFiredMs } = memory;

  function lastMs(key: string | undefined): number | undefined {
    if (cooldown?.per === 'rule' || key === undefined) return ruleFiredMs;
    return countedMs.get(key) ?? (Object.hasOwn(memory.firedMs, key) ? memory.firedMs[key] : undefined);
  }

  return {
    suppression(key) {
      const firedMs = lastMs(key);
      if (!cooldown || firedMs === undefined) return undefined;
      const agoMs = slotMs - firedMs;
      if (agoMs >= cooldown.forMs) return undefined;
      const per = cooldown.per === 'rule' || key === undefined ? 'rule' : 'item';
      return { kind: 'cooldown', per, agoMs, leftMs: cooldown.forMs - agoMs };
    },

    count(key) {
      ruleFiredMs = slotMs;
      if (key !== undefined) countedMs.set(key, slotMs);
    },

    memory() {
      if (countedMs.size === 0) return { firedMs: memory.firedMs, ruleFiredMs };
      const rememberedMs = Math.max(REMEMBERED_MS, cooldown?.forMs ?? 0);
      const recent = Object.entries(memory.firedMs).filter(([, ms]) => slotMs - ms < rememberedMs);
      return { firedMs: Object.fromEntries([...recent, ...countedMs]), ruleFiredMs };
    },
  };
}
