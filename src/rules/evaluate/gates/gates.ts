import type { Decision } from '../../decision.ts';
import type { PausedBy, RuleMemory, RuleState } from '../../episode.ts';
import type { GateBlock, GateSuppression } from '../../reasons/reason.ts';
import type { Rule, Scope } from '../../rule.ts';
import { createCooldown } from './cooldown.ts';
import { createDeliveryMode } from './delivery-mode.ts';
import { createFuse } from './fuse.ts';
import { quietHours, quietUntil } from './quiet-hours.ts';

/** The decision of the gates about a firing of `then`. A firing that is `held` is re-evaluated when the quiet hours end. */
export type GateDecision =
  | {
      readonly kind: 'pass';
      /** The number of the firing in its rule. */
      readonly number: number;
      readonly queue: string;
      /** The firing replaces undelivered firings of its queue. */
      readonly replaces: boolean;
    }
  | GateBlock;

/** The gates between a change and its firing, in order: pause, `if`, fuse, cooldown, quiet hours, mode. The first gate that blocks gives the reason. */
export interface Gates {
  /** Decides about a firing and counts it if it passes. `key` is the key of the item that the firing is about. */
  decide(scope: Scope, key?: string): GateDecision;
  isQuiet(): boolean;
  /** The memory of the rule with everything that was counted. */
  memory(): RuleMemory;
  /** When the rule has to run because quiet hours with deferred changes end. Undefined if nothing is deferred. */
  wakeMs(decisions: readonly Decision[]): number | undefined;
}

/** The gates of a rule in one slot. A firing that passes counts for later firings of the slot. */
export function createGates({ rule, state, slotMs }: { readonly rule: Rule; readonly state: RuleState; readonly slotMs: number }): Gates {
  const { memory, paused } = state;
  const fuse = createFuse(rule, memory, slotMs);
  const cooldown = createCooldown(rule, memory, slotMs);
  const mode = createDeliveryMode(rule, state);
  let { firings } = memory;

  function quietUntilMs(): number | undefined {
    return rule.quiet && quietUntil(rule.quiet, slotMs);
  }

  function suppressionBeforeQuiet(scope: Scope, key: string | undefined): GateSuppression | undefined {
    if (paused) return pauseSuppression(paused, slotMs);
    const verdict = rule.if?.test(scope);
    if (verdict && !verdict.holds) return { kind: 'if', because: verdict.because };
    return fuse.suppression() ?? cooldown.suppression(key);
  }

  return {
    decide(scope, key) {
      const early = suppressionBeforeQuiet(scope, key);
      if (early !== undefined) return { kind: 'refused', by: early };
      const untilMs = quietUntilMs();
      if (rule.quiet && untilMs !== undefined) {
        return { kind: rule.quiet.then === 'drop' ? 'refused' : 'held', by: quietHours(rule.quiet, untilMs - slotMs) };
      }
      const queue = key === undefined ? rule.id : `${rule.id}/${key}`;
      const full = mode.suppression(queue, episodeIdOf(scope));
      if (full !== undefined) return { kind: 'refused', by: full };
      fuse.count();
      cooldown.count(key);
      firings++;
      return { kind: 'pass', number: firings, ...mode.take(queue, firings) };
    },

    isQuiet: () => quietUntilMs() !== undefined,
    memory: () => ({ ...memory, firings, ...cooldown.memory(), ...fuse.memory() }),

    wakeMs(decisions) {
      const isHolding = memory.quietEndMs !== undefined || decisions.some(({ outcome }) => outcome === 'held');
      return isHolding ? quietUntilMs() : undefined;
    },
  };
}

function episodeIdOf({ episode }: Scope): string | undefined {
  const id = episode?.['id'];
  return typeof id === 'string' ? id : undefined;
}

/** The suppression of a rule that a user paused. */
export function pauseSuppression({ by, atMs }: PausedBy, slotMs: number): Extract<GateSuppression, { readonly kind: 'paused' }> {
  return { kind: 'paused', by, agoMs: Math.max(0, slotMs - atMs) };
}
