import type { RuleState } from '../../episode.ts';
import type { Refusal } from '../../reasons/refusal.ts';
import type { Rule } from '../../rule.ts';

/** What becomes of a firing while earlier ones of its item are being delivered. */
export interface DeliveryMode {
  refusal(queue: string): Refusal | undefined;
  /** Counts a firing; its queue, and whether it takes the place of those before it. */
  take(queue: string, number: number): { readonly queue: string; readonly replaces: boolean };
}

/** The mode of a rule in one slot; what is sent early in it counts for what comes later. */
export function createDeliveryMode({ mode, max }: Rule, delivering: RuleState['delivering']): DeliveryMode {
  const open = new Map<string, number>();
  for (const [queue, firings] of delivering ?? []) {
    // In parallel each firing has a queue of its own: its number is behind the item's.
    const name = mode === 'parallel' ? queue.replace(/#\d+$/u, '') : queue;
    open.set(name, (open.get(name) ?? 0) + firings);
  }
  const taken = new Set<string>();

  return {
    refusal(queue) {
      const firings = open.get(queue) ?? 0;
      if (mode === 'single' && firings > 0) return { kind: 'single' };
      if (mode === 'queued' && firings > max) return { kind: 'queueFull', waiting: firings - 1, most: max };
      if (mode === 'parallel' && firings >= max) return { kind: 'parallelFull', firings, most: max };
      return undefined;
    },

    take(queue, number) {
      const before = open.get(queue) ?? 0;
      // Firings of one slot stand beside each other.
      const replaces = mode === 'restart' && before > 0 && !taken.has(queue);
      taken.add(queue);
      open.set(queue, before + 1);
      return { queue: mode === 'parallel' ? `${queue}#${number}` : queue, replaces };
    },
  };
}
