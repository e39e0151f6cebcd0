import type { RuleState } from '#src/rules/episode.ts';
import type { GateSuppression } from '#src/rules/reasons/reason.ts';
import type { Rule } from '#src/rules/rule.ts';

/** Decides about a firing while earlier firings of its item are being delivered. */
export interface DeliveryMode {
  /** `episode`: the episode of the firing; absent for a firing of a slot or a poll. */
  suppression(queue: string, episode: string | undefined): GateSuppression | undefined;
  /** Counts a firing. Returns its queue, and whether it replaces the undelivered firings of that queue. */
  take(queue: string, number: number): { readonly queue: string; readonly replaces: boolean };
}

/** The `mode` of a rule in one slot. A counted firing counts for later firings of the slot. */
export function createDeliveryMode({ mode, max }: Rule, { delivering, waiting }: Pick<RuleState, 'delivering' | 'waiting'>): DeliveryMode {
  const open = new Map<string, number>();
  for (const [queue, firings] of delivering ?? []) {
    // In mode parallel, a queue has one firing: the number follows the item.
    const name = mode === 'parallel' ? queue.replace(/#\d+$/u, '') : queue;
    open.set(name, (open.get(name) ?? 0) + firings);
  }
  const taken = new Set<string>();

  return {
    suppression(queue, episode) {
      const firings = open.get(queue) ?? 0;
      const episodes = waiting?.get(queue);
      // The next episode does not wait for the steps of an earlier one.
      const isWaiting = episodes !== undefined && (episode === undefined || episodes.has(episode));
      if (mode === 'single' && (firings > 0 || isWaiting)) return { kind: 'modeSingle' };
      if (mode === 'queued' && firings > max) return { kind: 'queueFull', waiting: firings - 1, limit: max };
      if (mode === 'parallel' && firings >= max) return { kind: 'parallelFull', firings, limit: max };
      return undefined;
    },

    take(queue, number) {
      const before = open.get(queue) ?? 0;
      // A firing does not replace firings of the same slot.
      const replaces = mode === 'restart' && (before > 0 || waiting?.has(queue) === true) && !taken.has(queue);
      taken.add(queue);
      open.set(queue, before + 1);
      return { queue: mode === 'parallel' ? `${queue}#${number}` : queue, replaces };
    },
  };
}
