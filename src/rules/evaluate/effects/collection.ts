import type { CollectedChange, Episode, RuleState } from '#src/rules/episode.ts';
import type { GateBlock } from '#src/rules/reasons/reason.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { Change } from '../changes/change.ts';
import { changeRecord, episodeRecord, type ChangeOf } from './scope.ts';

/** The changes that the steps of `limit` and `gather` get later. An edit of the rule keeps them. */
export interface Collection {
  /** Collects changes that `limit` defers, if it has steps. */
  deferred(block: GateBlock, changes: readonly ChangeOf[]): void;
  /** Whether a change is an entry that waits for the steps of `limit` since an earlier poll. */
  waits(episode: Pick<Episode, 'id'>, change: Pick<Change, 'kind'>): boolean;
  /** Collects changes that fired, if the rule has `gather`: their number so far. */
  fired(changes: readonly ChangeOf[]): { readonly gathered?: number | undefined };
  /** `waiting`: the changes that `limit` deferred in earlier polls, and `limited`: in this one. */
  readonly collected: () => Readonly<Record<'waiting' | 'limited' | 'gathered', readonly CollectedChange[]>>;
}

/** The collected changes of a rule in one slot. */
export function createCollection(
  { limit, gather }: Rule,
  { memory, muted }: Pick<RuleState, 'memory' | 'muted'>,
  slotMs: number,
): Collection {
  const withMutes = (some: readonly CollectedChange[] = []): readonly CollectedChange[] =>
    muted ? some.map((one) => (muted.has(one.episode) ? { ...one, muted: muted.get(one.episode) } : one)) : some;
  let waiting = withMutes(memory.limited);
  const limited: CollectedChange[] = [];
  const gathered = [...withMutes(memory.gathered)];
  const toCollected = (changes: readonly ChangeOf[]): readonly CollectedChange[] =>
    changes.map((one) => ({
      atMs: slotMs,
      episode: one.episode.id,
      change: { ...changeRecord(one), episode: episodeRecord(one.episode) },
    }));
  /** A person may ask for the announcement of an item whose entry waits. It is not announced twice. */
  const replaceEntries = (changes: readonly ChangeOf[]): void => {
    const entered = new Set(changes.flatMap(({ episode, change }) => (change.kind === 'entered' ? [episode.id] : [])));
    if (entered.size > 0) waiting = waiting.filter(({ episode, change }) => !(change['kind'] === 'entered' && entered.has(episode)));
  };
  return {
    deferred({ kind, by }, changes) {
      if (kind !== 'deferred') return;
      // Quiet hours may defer it now, which `limit` deferred before.
      replaceEntries(changes);
      if (by.kind !== 'limitReached' || typeof limit?.then !== 'object') return;
      limited.push(...toCollected(changes));
    },
    waits: ({ id }, { kind }) => kind === 'entered' && waiting.some(({ episode, change }) => episode === id && change['kind'] === kind),
    fired(changes) {
      replaceEntries(changes);
      if (!gather) return {};
      gathered.push(...toCollected(changes));
      return { gathered: gathered.length };
    },
    collected: () => ({ waiting, limited, gathered }),
  };
}
