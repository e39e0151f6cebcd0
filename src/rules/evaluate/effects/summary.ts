import type { Decision } from '#src/rules/decision.ts';
import type { Episode } from '#src/rules/episode.ts';
import type { Absent, Reason, RestrictedItems, Unchanged, Unfit } from '#src/rules/reasons/reason.ts';
import { idOf, type FilteredItems } from '../items/filter-items.ts';
import { namedOf, nameOf } from '../items/item-fields.ts';
import { isFromBaseline } from '../transitions/transition.ts';
import { decide } from './effects.ts';
import type { EvaluatedList } from './evaluated-list.ts';
import { partlyFailedOf } from './partly-failed.ts';
import { missingOf } from './reasons.ts';

const MOST_MISSING_NAMES = 3;

/**
 * Adds the decisions about the list: the items of a baseline poll, the items that do not count or have no key, what was not read, and that nothing
 * changed.
 */
export function withSummary(decisions: readonly Decision[], evaluated: EvaluatedList): readonly Decision[] {
  const { rule, slotMs, state, transitions, items } = evaluated;
  const found = transitions.filter(({ kind, episode }) => kind === 'opened' && isFromBaseline(episode)).map(({ episode }) => episode);
  const first: Reason = { kind: 'baseline', isNew: state.memory.fingerprint === undefined, found: namedOf(found) };
  const baseline = found.length > 0 ? [decide('suppressed', first, { rule, slotMs, details: { items: found.map(({ key }) => key) } })] : [];
  const filteredOut = items.excludedCount > 0 ? unfitOf(items) : undefined;
  const restricted = restrictedOf(items);
  const partlyFailed = partlyFailedOf(evaluated.list.errors);
  const keyless = items.keyless.length > 0 ? [decide('failed', missingKey(evaluated), { rule, slotMs })] : [];
  if (found.length > 0 || decisions.length > 0) {
    const others = [filteredOut, restricted, partlyFailed].filter((reason) => reason !== undefined);
    return [...baseline, ...decisions, ...others.map((reason) => decide('unchanged', reason, { rule, slotMs })), ...keyless];
  }
  return [
    decide(
      'unchanged',
      {
        ...unchangedReason(evaluated),
        ...(filteredOut && { filteredOut }),
        ...(restricted && { restricted }),
        ...(partlyFailed && { partlyFailed }),
      },
      { rule, slotMs },
    ),
    ...keyless,
  ];
}

function missingKey({ watched, items: { keyless } }: EvaluatedList): Reason {
  const named = keyless.slice(0, MOST_MISSING_NAMES).map((item) => ({ name: nameOf(item, idOf(item)), error: watched.keyFailure?.(item) }));
  return { kind: 'missingKey', items: { count: keyless.length, named } };
}

function restrictedOf({ restricted: { followers, direct } }: FilteredItems): RestrictedItems | undefined {
  return followers + direct > 0 ? { kind: 'restricted', followers, direct } : undefined;
}

function unfitOf({ excludedCount, excludedSamples }: FilteredItems): Unfit {
  const named = excludedSamples.map(({ item, key, condition }) => ({ name: nameOf(item, key), condition }));
  return { kind: 'filteredOut', count: excludedCount, named };
}

function unchangedReason(evaluated: EvaluatedList): Unchanged {
  const { watched, list, transitions, items } = evaluated;
  const { belowTake, exclusions } = items;
  const isExcluded = ({ key }: Episode): boolean => {
    const exclusion = exclusions.get(key);
    return typeof exclusion === 'object' && 'condition' in exclusion;
  };
  const missed = transitions.filter(({ kind }) => kind === 'missed').map(({ episode }) => episode);
  const [excluded, missing] = [missed.filter(isExcluded), missed.filter((episode) => !isExcluded(episode))];
  const cut = cutOf(evaluated);
  return {
    kind: 'unchanged',
    ...(watched.kind === 'live' && { live: true }),
    ...(list.asked && { hinted: true }),
    read: list.items.length,
    followed: transitions.filter(({ kind }) => kind === 'stayed').length,
    ...(belowTake > 0 && watched.take !== undefined && { below: { count: belowTake, take: watched.take } }),
    ...(missing.length > 0 && { missing: absentOf(missing, evaluated) }),
    ...(excluded.length > 0 && { noLongerMatching: absentOf(excluded, evaluated) }),
    ...(cut && { cut }),
  };
}

function absentOf(episodes: readonly Episode[], evaluated: EvaluatedList): Absent {
  const first = episodes.slice(0, MOST_MISSING_NAMES);
  return {
    count: episodes.length,
    named: first.map((episode) => ({ name: nameOf(episode.item, episode.key), missing: missingOf(episode, evaluated) })),
  };
}

function cutOf({ watched: { kind }, list: { complete, more } }: EvaluatedList): Unchanged['cut'] {
  if (kind === 'feed') return undefined;
  if (!complete) return 'short';
  return more && (kind === 'live' || kind === 'set') ? 'pages' : undefined;
}
