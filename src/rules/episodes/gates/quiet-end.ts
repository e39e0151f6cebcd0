import type { Decision } from '../../decision.ts';
import type { RuleMemory } from '../../episode.ts';
import type { Gates } from './gates.ts';

/** When a rule has to run because the quiet hours end in which it held something; undefined: nothing is held. */
export function quietEnd(
  { quietEndMs }: RuleMemory,
  { gates, decisions }: { readonly gates: Gates; readonly decisions: readonly Decision[] },
): number | undefined {
  const isHolding = quietEndMs !== undefined || decisions.some(({ outcome }) => outcome === 'held');
  return isHolding ? gates.quietUntilMs() : undefined;
}
