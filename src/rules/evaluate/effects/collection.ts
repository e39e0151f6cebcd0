import type { CollectedChange, RuleMemory } from '#src/rules/episode.ts';
import type { GateBlock } from '#src/rules/reasons/reason.ts';
import type { Rule } from '#src/rules/rule.ts';
import { changeRecord, episodeRecord, type ChangeOf } from './scope.ts';

/** The changes that the steps of `limit` and `gather` get later. An edit of the rule keeps them. */
export interface Collection {
  /** Collects changes that `limit` defers, if it has steps. */
  deferred(block: GateBlock, changes: readonly ChangeOf[]): void;
  /** Collects changes that fired, if the rule has `gather`: their number so far. */
  fired(changes: readonly ChangeOf[]): { readonly gathered?: number | undefined };
  readonly collected: () => { readonly limited: readonly CollectedChange[]; readonly gathered: readonly CollectedChange[] };
}

/** The collected changes of a rule in one slot. */
export function createCollection({ limit, gather }: Rule, memory: RuleMemory, slotMs: number): Collection {
  const limited = [...(memory.limited ?? [])];
  const gathered = [...(memory.gathered ?? [])];
  const toCollected = (changes: readonly ChangeOf[]): readonly CollectedChange[] =>
    changes.map((one) => ({
      atMs: slotMs,
      episode: one.episode.id,
      change: { ...changeRecord(one), episode: episodeRecord(one.episode) },
    }));
  return {
    deferred({ kind, by }, changes) {
      if (kind === 'deferred' && by.kind === 'limitReached' && typeof limit?.then === 'object') limited.push(...toCollected(changes));
    },
    fired(changes) {
      if (!gather) return {};
      gathered.push(...toCollected(changes));
      return { gathered: gathered.length };
    },
    collected: () => ({ limited, gathered }),
  };
}
