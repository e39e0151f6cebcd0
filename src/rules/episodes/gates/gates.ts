import type { RuleMemory, RuleState } from '../../episode.ts';
import type { Hindrance, Refusal } from '../../reasons/refusal.ts';
import type { Rule, Scope } from '../../rule.ts';
import { createCooldown } from './cooldown.ts';
import { createDeliveryMode } from './delivery-mode.ts';
import { createFuse } from './fuse.ts';
import { pauseRefusal } from './pause.ts';
import { quietRefusal, quietUntil } from './quiet-hours.ts';

/** What may be said of a firing of `then`. */
export type Answer =
  | {
      readonly kind: 'pass';
      /** The number of the firing. */
      readonly number: number;
      readonly queue: string;
      /** What is still undelivered of the queue is taken back. */
      readonly replaces: boolean;
    }
  /** What is held waits for the end of the quiet hours. */
  | Hindrance;

/** What stands between a change and its firing: a pause, `if`, fuse, cooldown, quiet hours, mode. The first that refuses is the reason. */
export interface Gates {
  /** `key` is the item's, where the firing is about one. */
  ask(scope: Scope, key?: string): Answer;
  /** When the quiet hours end; undefined: it is loud. */
  quietUntilMs(): number | undefined;
  /** The memory with all that was counted. */
  memory(): RuleMemory;
}

/** The gates of a rule in one slot; what passes early in it counts for what comes later. */
export function createGates({ rule, state, slotMs }: { readonly rule: Rule; readonly state: RuleState; readonly slotMs: number }): Gates {
  const { memory, paused } = state;
  const fuse = createFuse(rule, memory, slotMs);
  const cooldown = createCooldown(rule, memory, slotMs);
  const mode = createDeliveryMode(rule, state.delivering);
  let { firings } = memory;

  function quietUntilMs(): number | undefined {
    return rule.quiet && quietUntil(rule.quiet, slotMs);
  }

  function refusalBeforeQuiet(scope: Scope, key: string | undefined): Refusal | undefined {
    if (paused) return pauseRefusal(paused, slotMs);
    const verdict = rule.if?.test(scope);
    if (verdict && !verdict.holds) return { kind: 'if', because: verdict.because };
    return fuse.refusal() ?? cooldown.refusal(key);
  }

  return {
    quietUntilMs,

    ask(scope, key) {
      const refusal = refusalBeforeQuiet(scope, key);
      if (refusal !== undefined) return { kind: 'refused', by: refusal };
      const untilMs = quietUntilMs();
      if (rule.quiet && untilMs !== undefined) {
        return { kind: rule.quiet.then === 'drop' ? 'refused' : 'held', by: quietRefusal(rule.quiet, untilMs - slotMs) };
      }
      const queue = key === undefined ? rule.id : `${rule.id}/${key}`;
      const waiting = mode.refusal(queue);
      if (waiting !== undefined) return { kind: 'refused', by: waiting };
      fuse.count();
      cooldown.count(key);
      firings++;
      return { kind: 'pass', number: firings, ...mode.take(queue, firings) };
    },

    memory: () => ({ ...memory, firings, ...cooldown.memory(), ...fuse.memory() }),
  };
}
