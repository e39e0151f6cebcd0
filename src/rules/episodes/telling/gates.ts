import type { RuleMemory } from '../../episode.ts';
import type { Rule, Scope } from '../../rule.ts';
import { durationText } from '../../wording/duration-text.ts';

/** An edit may lengthen a cooldown: firings are remembered at least this long. */
const REMEMBERED_MS = 86_400_000;

/** What may refuse a firing of `then`. */
export interface Gates {
  /** Why it is refused; undefined: it is let through. */
  refusal(scope: Scope, key?: string): string | undefined;
  /** Counts a firing that was let through, and gives its number. */
  pass(key?: string): number;
  /** The memory with all that was counted. */
  memory(): RuleMemory;
}

/** The gates of a rule in one slot; what passes early in it counts for what comes later. */
export function createGates({
  rule,
  memory,
  slotMs,
}: {
  readonly rule: Rule;
  readonly memory: RuleMemory;
  readonly slotMs: number;
}): Gates {
  const { cooldown } = rule;
  const passedMs = new Map<string, number>();
  let { firings, ruleFiredMs } = memory;

  function lastMs(key: string | undefined): number | undefined {
    if (cooldown?.per === 'rule' || key === undefined) return ruleFiredMs;
    return passedMs.get(key) ?? firedBefore(memory, key);
  }

  function cooling(key: string | undefined): string | undefined {
    const firedMs = lastMs(key);
    if (!cooldown || firedMs === undefined) return undefined;
    const agoMs = slotMs - firedMs;
    if (agoMs >= cooldown.forMs) return undefined;
    const who = cooldown.per === 'rule' ? 'the rule last fired' : 'last announced';
    return `cooldown: ${who} ${agoMs === 0 ? 'in this poll' : `${durationText(agoMs)} ago`}, ${durationText(cooldown.forMs - agoMs)} left`;
  }

  return {
    refusal(scope, key) {
      const verdict = rule.if?.test(scope);
      if (verdict && !verdict.holds) return `if: ${verdict.because}`;
      return cooling(key);
    },

    pass(key) {
      ruleFiredMs = slotMs;
      if (key !== undefined) passedMs.set(key, slotMs);
      return ++firings;
    },

    memory() {
      const keptMs = Math.max(REMEMBERED_MS, cooldown?.forMs ?? 0);
      const recent = Object.entries(memory.firedMs).filter(([, ms]) => slotMs - ms < keptMs);
      return { ...memory, firings, ruleFiredMs, firedMs: Object.fromEntries([...recent, ...passedMs]) };
    },
  };
}

function firedBefore({ firedMs }: RuleMemory, key: string): number | undefined {
  return Object.hasOwn(firedMs, key) ? firedMs[key] : undefined;
}
