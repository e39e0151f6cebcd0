import type { Episode, RuleMemory } from '#src/rules/episode.ts';
import { storedKey } from '#src/rules/expression/item-key.ts';
import { hash } from '#src/rules/firing.ts';
import type { Rule, Watched } from '#src/rules/rule.ts';
import { longHashSet } from '#src/rules/short-hashes.ts';
import type { Change } from './changes/change.ts';
import { askedTest } from '#src/rules/people/partial-polls.ts';
import { deferredDeparture, detectChanges, inLimitOrder, oldestFirst } from './changes/detect-changes.ts';
import { NO_DEPARTURES, reevaluateDepartures, type Departures } from './changes/departures.ts';
import { moves } from './changes/rank-changes.ts';
import { announceEach, announceTogether, isAnnounceable, type Announce } from './effects/change-effects.ts';
import { collectionEffects } from './effects/collection-effects.ts';
import { createCollection } from './effects/collection.ts';
import { delayedByPause } from './effects/delayed-by-pause.ts';
import { effects, mergeEffects, type Advance, type Effects } from './effects/effects.ts';
import { episodeEffects, type EpisodeEffectsOptions } from './effects/episode-effects.ts';
import { episodeWrites } from './effects/episode-writes.ts';
import type { EvaluatedList, ListSlot } from './effects/evaluated-list.ts';
import { quietEndEffects } from './effects/quiet-end-effects.ts';
import { listScope, slotScope } from './effects/scope.ts';
import { slotEffects, type SlotEffects } from './effects/slot-effects.ts';
import { withSummary } from './effects/summary.ts';
import { createGates } from './gates/gates.ts';
import { listEdit, uncountedItems, type ListEdit } from './edits/list-edit.ts';
import { rekeyEpisodes, type RekeyedState } from './edits/rekey-episodes.ts';
import { withoutRemovedSteps } from './edits/removed-steps.ts';
import { accountOf } from './items/accounts.ts';
import { filterItems } from './items/filter-items.ts';
import { rankOf } from './items/item-fields.ts';
import { readTest } from './items/people-items.ts';
import { withUnreadAccounts } from './items/unread-accounts.ts';
import { applyTransitions, type Transitions } from './transitions/apply-transitions.ts';
import { isCompact } from './transitions/compact.ts';
import { isAnnounced } from './transitions/is-announced.ts';
import type { PollInstant } from './transitions/transition.ts';

const NONE: ReadonlySet<string> = new Set();

/** Evaluates a slot of a rule whose list could be read: transitions, changes, gates, effects. */
export function advanceList(slot: ListSlot): Advance {
  const { watched, list, slotMs } = slot;
  const evaluated = evaluateList(slot);
  const { gates } = evaluated;
  const { announce, deferredSlot, ...announced } = announcements(evaluated);
  const options: EpisodeEffectsOptions = { ...evaluated, announce };
  const episodes = evaluated.episodeChanges.map((one) => episodeEffects(one, options));
  const { writes, ...deferred } = quietEndEffects(episodeWrites(episodes, evaluated), evaluated);
  const { collected, ...releases } = collectionEffects(evaluated);
  const changes = mergeEffects([announced, ...episodes, deferred]);
  const all = mergeEffects([changes, releases, delayedByPause(evaluated)]);

  const wakeMs = gates.wakeMs(changes.decisions, collected) ?? wakeMsOfOthers(slot);
  const memory: RuleMemory = {
    ...gates.memory(),
    ...collected,
    ...(list.asked === undefined && {
      ...definitionRead(slot),
      uncounted: uncountedItems(list, evaluated.items, watched),
      lastPollMs: slotMs,
    }),
    quietEndMs: wakeMs,
    deferredSlot,
  };
  return { ...all, decisions: withSummary(all.decisions, evaluated), change: { memory, ...writes }, wakeMs };
}

/**
 * Whether a poll of some names cannot be evaluated: the list changed since its last poll, or deferred changes of other items are due. Then the
 * whole list has to be polled.
 */
export function needsWholeList({ rule: { watched }, state, slotMs }: Pick<ListSlot, 'rule' | 'state' | 'slotMs'>): boolean {
  const { fingerprint, quietEndMs = Infinity } = state.memory;
  return fingerprint !== watched?.fingerprint || quietEndMs <= slotMs || hasOldKey({ state });
}

/** When the deferred changes of items are due that a poll of some names did not ask for. */
function wakeMsOfOthers({ list, state, slotMs }: ListSlot): number | undefined {
  const { quietEndMs } = state.memory;
  return list.asked !== undefined && quietEndMs !== undefined && quietEndMs > slotMs ? quietEndMs : undefined;
}

/** Detects all changes of a list. */
function evaluateList(written: ListSlot): EvaluatedList {
  const { rule, watched, list, slotMs } = written;
  const filtered = filterItems(list.items, { rule, watched, slotMs, mainAccounts: mainAccountsOf(written) });
  const isAsked = askedTest(watched, written.list.asked);
  const items = { ...filtered, listed: withUnreadAccounts(filtered.listed.filter(isAsked), written) };
  const { listed } = items;
  // An episode may belong to an item whose key is missing in this poll only.
  const isWhole = filtered.keyless.length === 0 && isWholeList(written);
  const edit = listEdit({ rule, watched, memory: written.state.memory, slotMs, exclusions: items.exclusions });
  const released = withoutRemovedSteps(written.state, rule, watched);
  const before = released?.state ?? written.state;
  const { state, rekeyed, merged } = edit || hasOldKey(written) ? rekeyEpisodes(before, { listed, watched }) : unchanged(before);
  const slot: ListSlot = { ...written, state };
  const instant = instantOf(slot, { edit, isWhole, isAsked });
  const transitions = applyTransitions(state.episodes, { listed, instant, merged });

  const gates = createGates({ rule, state, slotMs });
  // A rule that fires each slot has no firing at the end of quiet hours without a deferred slot.
  const firesLater = watched.per === 'slot' && written.woken && state.memory.deferredSlot === undefined;
  const wasDeferring = firesLater || gates.isDeferring();
  const tracksRanks = watched.changes.some(({ kind }) => kind === 'moved') && !instant.isFirst && edit?.keepsOrder !== false;
  const movesByKey = tracksRanks ? moves(listed, { before: transitions.before, instant }) : new Map<string, number>();
  const lastRank = written.list.complete ? (rankOf(listed.at(-1)?.item ?? {}) ?? Infinity) : Infinity;
  const departures = departuresOf(transitions, { ...slot, items, isRead: written.list.asked ? instant.isRead : () => isWhole, gates });
  const listedChanges = [
    ...departures.standing.map((episode) => deferredDeparture(episode, watched)),
    ...transitions.transitions.map((transition) => detectChanges(transition, { instant, moves: movesByKey, lastRank })),
  ];
  const inOrder = watched.isNewestFirst && watched.per === 'item' ? oldestFirst(listedChanges) : listedChanges;
  const episodeChanges = inLimitOrder(inOrder, rule);
  // The list `changes` has the order of the poll.
  const changes: { readonly episode: Episode; readonly change: Change }[] = [];
  for (const { episode, changes: some } of inLimitOrder(listedChanges, rule)) {
    for (const change of some) if (!change.wasDeferred || !wasDeferring) changes.push({ episode, change });
  }
  const scope = slotScope(rule, slotMs, state.memory);
  const conditionScope = readsList(rule, watched) ? { ...scope, ...listScope(listed, changes) } : scope;
  return {
    ...slot,
    ...transitions,
    instant,
    edited: released ? new Set([...released.edited, ...rekeyed]) : rekeyed,
    items,
    gates,
    wasDeferring,
    collection: createCollection(rule, state, slotMs),
    departures,
    episodeChanges,
    announceable: changes.filter(({ change }) => isAnnounceable(change, wasDeferring)),
    conditionScope,
    stepScope: rule.readsList ? conditionScope : scope,
  };
}

/** Whether an episode has a key that an earlier version stored and that is too long by now. */
function hasOldKey({ state: { episodes } }: Pick<ListSlot, 'state'>): boolean {
  return episodes.values().some(({ key }) => storedKey(key) !== key);
}

function unchanged(state: ListSlot['state']): RekeyedState {
  return { state, rekeyed: NONE, merged: NONE };
}

/** The account whose fields each open item has, so that its values do not change while the account has it. */
function mainAccountsOf({ watched, state: { episodes, memory } }: ListSlot): ReadonlyMap<string, string> | undefined {
  if (watched.accounts.length <= 1) return undefined;
  const before = memory.definition?.accounts ?? watched.accounts;
  return new Map([...episodes.values()].flatMap(({ phase, key, item }) => (phase === 'closed' ? [] : [[key, accountOf(item, before)]])));
}

/** Whether something may read the list or the changes of the poll. */
function readsList(rule: Rule, { per }: Watched): boolean {
  // A rule that fires each slot keeps the changes of a deferred slot.
  return rule.readsList || per === 'slot' || /items|changes/u.test(rule.if?.source ?? '');
}

function instantOf(
  slot: ListSlot,
  { edit, isWhole, isAsked }: { readonly edit: ListEdit | undefined; readonly isWhole: boolean; readonly isAsked: PollInstant['isAsked'] },
): PollInstant {
  const {
    rule,
    watched,
    state: { memory },
    slotMs,
    list,
    gap,
    isHinted,
    isNotified,
    unreadSinceMs,
    requested,
  } = slot;
  const isRead = isWhole ? () => true : readEpisodes(slot);
  const { fingerprint, definition, lastPollMs } = memory;
  const sinceMs = slotMs - (lastPollMs ?? slotMs);
  const gapAfterMs = 'everyMs' in rule.schedule ? 2 * rule.schedule.everyMs : Infinity;
  const isGap = gap ?? sinceMs > gapAfterMs;
  // The items of a value that was removed from `each` and returned may have been announced before.
  const startsSilently = watched.first === 'silent' || watched.per === 'slot' || lastPollMs !== undefined;
  return {
    watched,
    slotMs,
    isFirst: fingerprint === undefined && startsSilently,
    edit,
    gapMs: isGap ? sinceMs : undefined,
    gapAfterMs,
    unreadSinceMs,
    maxAgeMs: rule.maxAgeMs,
    lastPollMs,
    lastAccounts: definition?.accounts ?? watched.accounts,
    isAsked,
    isRead: list.asked === undefined ? isRead : (episode) => isAsked(episode) && isRead(episode),
    requested,
    isAnnounced: (episode) => isAnnounced(episode, memory),
    isNotified,
    countEveryMs: isHinted && 'everyMs' in rule.schedule ? Math.ceil(rule.schedule.everyMs / 2) : 0,
    // A compact episode was last seen in the last poll of the whole list.
    compact: list.asked === undefined && isCompact(rule, watched),
  };
}

/** Whether an item that the list lacks is gone. */
function isWholeList({ watched: { kind }, list: { complete, more = false, unread } }: ListSlot): boolean {
  if (unread) return false;
  switch (kind) {
    case 'feed':
      return false;
    case 'live':
    case 'set':
      // A missing item may be on a page that was not read.
      return complete && !more;
    case 'ranking':
    case 'one':
      return complete;
  }
}

/** Whether everything that a rule with `people` reads of an episode could be read, in a list that lacks other names. */
function readEpisodes({ watched: { people, key, kind }, list }: ListSlot): (episode: Episode) => boolean {
  const { unread, complete, more = false } = list;
  if (!people || !unread || !complete || more || kind !== 'live') return () => false;
  const isRead = readTest(list);
  return (episode) => {
    const names = people.index?.namesOf(key(episode.item) ?? episode.key) ?? {};
    return Object.entries(names).every(([account, some]) => some.every((name) => isRead(account, name)));
  };
}

/** What the rule remembers of the list that this poll read. A name that could not be read yet is new in the next poll. */
function definitionRead({ watched, list, state: { memory } }: ListSlot): Pick<RuleMemory, 'fingerprint' | 'definition'> {
  const { fingerprint, definition, people } = watched;
  if (!people?.index || !list.unread) return { fingerprint, definition };
  const users = people.index.hashesRead(readTest(list), longHashSet(memory.definition?.users ?? ''));
  if (users === definition.users) return { fingerprint, definition };
  return { fingerprint: hash(fingerprint, users), definition: { ...definition, users } };
}

function departuresOf(
  transitions: Transitions,
  { rule, items, isRead, gates }: Pick<EvaluatedList, 'rule' | 'items' | 'gates'> & Pick<PollInstant, 'isRead'>,
): Departures {
  if (transitions.deferred.length === 0 || gates.isDeferring()) return NO_DEPARTURES;
  return reevaluateDepartures(transitions, { listed: items.listed, isRead, collects: typeof rule.quiet?.then === 'object' });
}

/** Announces the changes of a poll as `per` says: one by one, together, or with the slot. */
function announcements(evaluated: EvaluatedList): Effects & { readonly announce?: Announce } & Pick<SlotEffects, 'deferredSlot'> {
  switch (evaluated.watched.per) {
    case 'item':
      return { ...effects({}), announce: announceEach(evaluated), deferredSlot: undefined };
    case 'poll':
      return { ...announceTogether(evaluated.announceable, evaluated), deferredSlot: undefined };
    case 'slot':
      return slotEffects(evaluated);
  }
}
