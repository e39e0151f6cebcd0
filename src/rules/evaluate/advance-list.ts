import type { Episode, RuleMemory } from '../episode.ts';
import { storedKey } from '../expression/item-key.ts';
import type { Rule, Watched } from '../rule.ts';
import type { Change } from './changes/change.ts';
import { deferredDeparture, detectChanges } from './changes/detect-changes.ts';
import { NO_DEPARTURES, reevaluateDepartures, type Departures } from './changes/departures.ts';
import { moves } from './changes/rank-changes.ts';
import { announceEach, announceTogether, isAnnounceable, type Announce } from './effects/change-effects.ts';
import { decide, effects, mergeEffects, type Advance, type Effects } from './effects/effects.ts';
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
import { accountOf } from './items/accounts.ts';
import { filterItems } from './items/filter-items.ts';
import { applyTransitions, type Transitions } from './transitions/apply-transitions.ts';
import { isCompact } from './transitions/compact.ts';
import type { PollInstant } from './transitions/transition.ts';

const NONE: ReadonlySet<string> = new Set();

/** Evaluates a slot of a rule whose list could be read: transitions, changes, gates, effects. */
export function advanceList(slot: ListSlot): Advance {
  const { rule, watched, slotMs } = slot;
  const evaluated = evaluateList(slot);
  if (!evaluated) return effects({ decisions: [decide('failed', { kind: 'keyless' }, { rule, slotMs })] });

  const { gates } = evaluated;
  const { announce, heldSlot, ...announced } = announcements(evaluated);
  const options: EpisodeEffectsOptions = { ...evaluated, announce };
  const episodes = evaluated.episodeChanges.map((one) => episodeEffects(one, options));
  const { writes, ...deferred } = quietEndEffects(episodeWrites(episodes, evaluated), evaluated);
  const all = mergeEffects([announced, ...episodes, deferred]);

  const wakeMs = gates.wakeMs(all.decisions);
  const memory: RuleMemory = {
    ...gates.memory(),
    fingerprint: watched.fingerprint,
    definition: watched.definition,
    uncounted: uncountedItems(evaluated.list, evaluated.items),
    lastPollMs: slotMs,
    quietEndMs: wakeMs,
    heldSlot,
  };
  return { ...all, decisions: withSummary(all.decisions, evaluated), change: { memory, ...writes }, wakeMs };
}

/** Detects all changes of a list. Undefined if an item has no key: then the list is unusable. */
function evaluateList(written: ListSlot): EvaluatedList | undefined {
  const { rule, watched, list, slotMs } = written;
  const items = filterItems(list.items, { rule, watched, slotMs, mainAccounts: mainAccountsOf(written) });
  if (!items) return undefined;
  const { listed } = items;
  const isWhole = isWholeList(written);
  const edit = listEdit({ rule, watched, memory: written.state.memory, slotMs, exclusions: items.exclusions });
  const { state, rekeyed, merged } =
    edit || hasOldKey(written) ? rekeyEpisodes(written.state, { listed, watched }) : unchanged(written.state);
  const slot: ListSlot = { ...written, state };
  const instant = instantOf(slot, edit);
  const transitions = applyTransitions(state.episodes, { listed, isWhole, instant, merged });

  const gates = createGates({ rule, state, slotMs });
  const tracksRanks = watched.changes.some(({ kind }) => kind === 'moved') && !instant.isFirst && edit?.keepsOrder !== false;
  const movesByKey = tracksRanks ? moves(listed, { before: transitions.before, instant }) : new Map<string, number>();
  const departures = departuresOf(transitions, { ...slot, items, isWhole, gates });
  const episodeChanges = [
    ...departures.standing.map((episode) => deferredDeparture(episode, watched)),
    ...transitions.transitions.map((transition) => detectChanges(transition, { instant, moves: movesByKey })),
  ];
  const changes: { readonly episode: Episode; readonly change: Change }[] = [];
  for (const { episode, changes: some } of episodeChanges) {
    for (const change of some) if (!change.wasDeferred || !gates.isQuiet()) changes.push({ episode, change });
  }
  const scope = slotScope(rule, slotMs);
  const conditionScope = readsList(rule, watched) ? { ...scope, ...listScope(listed, changes) } : scope;
  return {
    ...slot,
    ...transitions,
    instant,
    rekeyed,
    items,
    gates,
    departures,
    episodeChanges,
    announceable: changes.filter(({ change }) => isAnnounceable(change, gates)),
    conditionScope,
    stepScope: rule.readsList ? conditionScope : scope,
  };
}

/** Whether an episode has a key that an earlier version stored and that is too long by now. */
function hasOldKey({ state: { episodes } }: ListSlot): boolean {
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

function instantOf({ rule, watched, state: { memory }, slotMs, gap }: ListSlot, edit: ListEdit | undefined): PollInstant {
  const { fingerprint, definition, lastPollMs } = memory;
  const sinceMs = slotMs - (lastPollMs ?? slotMs);
  const isGap = gap ?? ('everyMs' in rule.schedule && sinceMs > 2 * rule.schedule.everyMs);
  const startsSilently = watched.first === 'silent' || watched.per === 'slot';
  return {
    watched,
    slotMs,
    isFirst: fingerprint === undefined && startsSilently,
    edit,
    gapMs: isGap ? sinceMs : undefined,
    maxAgeMs: rule.maxAgeMs,
    lastPollMs,
    lastAccounts: definition?.accounts ?? watched.accounts,
    compact: isCompact(rule, watched),
  };
}

/** Whether an item that the list lacks is gone. */
function isWholeList({ watched: { kind }, list: { complete, more = false } }: ListSlot): boolean {
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

function departuresOf(
  transitions: Transitions,
  { rule, items, isWhole, gates }: Pick<EvaluatedList, 'rule' | 'items' | 'gates'> & { readonly isWhole: boolean },
): Departures {
  if (transitions.deferred.length === 0 || gates.isQuiet()) return NO_DEPARTURES;
  return reevaluateDepartures(transitions, { listed: items.listed, isWhole, collects: typeof rule.quiet?.then === 'object' });
}

/** Announces the changes of a poll as `per` says: one by one, together, or with the slot. */
function announcements(evaluated: EvaluatedList): Effects & { readonly announce?: Announce } & Pick<SlotEffects, 'heldSlot'> {
  switch (evaluated.watched.per) {
    case 'item':
      return { ...effects({}), announce: announceEach(evaluated), heldSlot: undefined };
    case 'poll':
      return { ...announceTogether(evaluated.announceable, evaluated), heldSlot: undefined };
    case 'slot':
      return slotEffects(evaluated);
  }
}
