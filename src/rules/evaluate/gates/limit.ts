import type { RuleMemory } from '#src/rules/episode.ts';
import type { GateSuppression } from '#src/rules/reasons/reason.ts';
import type { Limit, Rule } from '#src/rules/rule.ts';

/** Counts the firings of a rule that `limit` allows. */
interface LimitCounter {
  /** When the next firing is allowed. Undefined: now. */
  untilMs(): number | undefined;
  count(): void;
  memory(): Pick<RuleMemory, 'limitMs'>;
}

/** The limit of a rule in one slot. A counted firing counts for later firings of the slot. */
export function createLimit({ limit }: Pick<Rule, 'limit'>, { limitMs }: Pick<RuleMemory, 'limitMs'>, slotMs: number): LimitCounter {
  if (!limit) return { untilMs: () => undefined, count: () => undefined, memory: () => ({ limitMs: undefined }) };
  const { firings, perMs } = limit;
  const countedMs = (limitMs ?? []).filter((ms) => slotMs - ms < perMs);
  return {
    untilMs: () => (countedMs.length < firings ? undefined : (countedMs.at(-firings) ?? slotMs) + perMs),
    count: () => void countedMs.push(slotMs),
    memory: () => ({ limitMs: countedMs.length === 0 ? undefined : countedMs }),
  };
}

/** The suppression of a firing that `limit` does not allow. */
export function limitReached({ firings, perMs }: Limit, leftMs: number): Extract<GateSuppression, { readonly kind: 'limitReached' }> {
  return { kind: 'limitReached', limit: firings, perMs, leftMs };
}
