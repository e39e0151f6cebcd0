import type { Episode } from '#src/rules/episode.ts';
import type { Falsehood } from '#src/rules/reasons/falsehood.ts';
import type { ChangeDetail, GateBlock, Missing, Reason, StoredSuppression } from '#src/rules/reasons/reason.ts';
import type { Change } from '../changes/change.ts';
import { namedOf, nameOf, standingOf } from '../items/item-fields.ts';
import type { EvaluatedList } from './evaluated-list.ts';

type Poll = Pick<EvaluatedList, 'watched' | 'slotMs' | 'items'>;

/** The reason why an episode is not open yet. */
export function waitingReason({ key, item, hits, firstSeenMs }: Episode, { watched, slotMs }: Poll): Reason {
  const restMs = watched.settleMs - (slotMs - firstSeenMs);
  const needed = watched.confirm.new;
  return {
    kind: 'waiting',
    name: nameOf(item, key),
    standing: standingOf(item, watched),
    ...(restMs > 0 && { settleMs: restMs }),
    ...(hits < needed && { seen: { count: hits, of: needed } }),
  };
}

/** The reason why a new value is not announced yet. */
export function settlingReason({ key, item }: Episode, change: ChangeDetail, { watched: { settleMs } }: Poll): Reason {
  return { kind: 'settling', name: nameOf(item, key), change, settleMs };
}

/** The reason why an episode without its item is not closed yet. */
export function missingReason(episode: Episode, poll: Poll): Reason {
  const { key, item } = episode;
  return { kind: 'missing', name: nameOf(item, key), missing: missingOf(episode, poll), ...exclusionOf(key, poll) };
}

/** The polls and the time that an item may still be missing. */
export function missingOf({ misses, missingSinceMs }: Episode, { watched, slotMs }: Pick<Poll, 'watched' | 'slotMs'>): Missing {
  const restMs = watched.graceMs - (slotMs - (missingSinceMs ?? slotMs));
  const needed = watched.confirm.gone;
  return { ...(misses < needed && { polls: { count: misses, of: needed } }), ...(restMs > 0 && { graceMs: restMs }) };
}

/** The reason of an episode that opens without an announcement. */
export function openedReason({ key, item }: Episode, suppression: StoredSuppression, { watched }: Pick<Poll, 'watched'>): Reason {
  return { kind: 'opened', name: nameOf(item, key), standing: standingOf(item, watched), suppressedBy: suppression };
}

/** The reason of a change. With a block: why the change is not announced, or not yet. */
export function changeReason(
  { episode, change: { detail } }: { readonly episode: Episode; readonly change: Change },
  block?: GateBlock,
): Reason {
  const name = nameOf(episode.item, episode.key);
  if (block?.kind === 'suppressed' && detail.kind === 'entered')
    return { kind: 'opened', name, standing: detail.standing, suppressedBy: block.by };
  return { kind: 'itemChanged', name, change: detail, ...(block && { block: block }) };
}

/** The reason of all changes of a poll. With a block: why they are not announced, or not yet. */
export function pollReason(
  changes: readonly { readonly episode: Episode; readonly change: Pick<Change, 'kind'> }[],
  block?: GateBlock,
): Reason {
  const kinds = [...Map.groupBy(changes, ({ change }) => change.kind)].map(([change, some]) => ({
    change,
    ...namedOf(some.map(({ episode }) => episode)),
  }));
  return { kind: 'itemsChanged', changes: kinds, ...(block && { block: block }) };
}

/** The reason of an item that returns to its episode. */
export function backReason({ key, item }: Episode, awayMs: number, { watched }: Pick<Poll, 'watched'>): Reason {
  return { kind: 'returned', name: nameOf(item, key), standing: standingOf(item, watched), awayMs };
}

/** The reason of an item that left before its episode opened. */
export function vanishedReason({ key, item, firstSeenMs, lastSeenMs }: Episode, poll: Poll): Reason {
  return { kind: 'leftBeforeOpening', name: nameOf(item, key), seenMs: lastSeenMs - firstSeenMs, ...exclusionOf(key, poll) };
}

export function closedReason({ key, item, firstSeenMs, lastSeenMs, announcedBy, suppressedBy }: Episode, poll: Poll): Reason {
  return {
    kind: 'closed',
    name: nameOf(item, key),
    // An item that the list still has did not end, even if it no longer fits.
    live: poll.watched.kind === 'live' && !poll.items.exclusions.has(key),
    seenMs: lastSeenMs - firstSeenMs,
    standing: standingOf(item, poll.watched),
    ...exclusionOf(key, poll),
    ...(announcedBy === undefined && suppressedBy !== undefined && { suppressedBy }),
  };
}

/** The reason of an episode that an edit of the rule closes. */
export function outOfListReason({ key, item, firstSeenMs, lastSeenMs }: Episode): Reason {
  return { kind: 'removedByEdit', name: nameOf(item, key), seenMs: lastSeenMs - firstSeenMs };
}

/** Why `where` excludes an item that the list still has. */
function exclusionOf(key: string, { items }: Pick<Poll, 'items'>): { readonly filteredOut?: Falsehood } {
  const exclusion = items.exclusions.get(key);
  return typeof exclusion === 'object' && 'condition' in exclusion ? { filteredOut: exclusion.condition } : {};
}
