import type { RuleMemory } from '../../episode.ts';
import type { Refusal } from '../../reasons/refusal.ts';
import type { Rule } from '../../rule.ts';

/** An edit may lengthen a cooldown: firings are remembered at least this long. */
const REMEMBERED_MS = 86_400_000;

/** Knows when what was sent. */
export interface Cooldown {
  refusal(key: string | undefined): Refusal | undefined;
  count(key: string | undefined): void;
  memory(): Pick<RuleMemory, 'firedMs' | 'ruleFiredMs'>;
}

/** The cooldown of a rule in one slot; what is sent early in it counts for what comes later. */
export function createCooldown({ cooldown }: Rule, memory: RuleMemory, slotMs: number): Cooldown {
  const passedMs = new Map<string, number>();
  let { ruleFiredMs } = memory;

  function lastMs(key: string | undefined): number | undefined {
    if (cooldown?.per === 'rule' || key === undefined) return ruleFiredMs;
    return passedMs.get(key) ?? (Object.hasOwn(memory.firedMs, key) ? memory.firedMs[key] : undefined);
  }

  return {
    refusal(key) {
      const firedMs = lastMs(key);
      if (!cooldown || firedMs === undefined) return undefined;
      const agoMs = slotMs - firedMs;
      if (agoMs >= cooldown.forMs) return undefined;
      const per = cooldown.per === 'rule' || key === undefined ? 'rule' : 'item';
      return { kind: 'cooldown', per, agoMs, leftMs: cooldown.forMs - agoMs };
    },

    count(key) {
      ruleFiredMs = slotMs;
      if (key !== undefined) passedMs.set(key, slotMs);
    },

    memory() {
      if (passedMs.size === 0) return { firedMs: memory.firedMs, ruleFiredMs };
      const keptMs = Math.max(REMEMBERED_MS, cooldown?.forMs ?? 0);
      const recent = Object.entries(memory.firedMs).filter(([, ms]) => slotMs - ms < keptMs);
      return { firedMs: Object.fromEntries([...recent, ...passedMs]), ruleFiredMs };
    },
  };
}
