import type { Episode, RuleState } from '../episode.ts';
import type { Rule } from '../rule.ts';
import { decide, effects, mergeEffects, type Advance, type Effects } from './effects/effects.ts';
import { pastOf } from './effects/episode-writes.ts';
import { finallyFiringsByEdit, withdrawSection, withdrawWaiting } from './effects/firings.ts';
import { episodeScope, slotScope } from './effects/scope.ts';
import { byLastRank, nameOf } from './items/item-fields.ts';
import { expanded } from './transitions/compact.ts';
import { endEpisode } from './transitions/item-transitions.ts';

export interface CloseOptions {
  readonly rule: Rule;
  readonly state: RuleState;
  readonly slotMs: number;
}

/** Closes all episodes of a rule whose value was removed from `each`. Fires the steps of `finally` that create nothing, and drops deferred changes. */
export function closeEpisodes(options: CloseOptions): Advance {
  const { rule, state, slotMs } = options;
  const { memory } = state;
  const all = [...state.episodes.values()].toSorted(byLastRank);
  const pending = all.filter(({ phase }) => phase === 'pending');
  const closed = all
    .filter(({ phase }) => phase === 'open' || phase === 'closing')
    .map((episode) => endEpisode(expanded(episode, memory), { slotMs }).episode);
  const deferred = all.filter(({ phase, held, unsaid }) => phase === 'closed' && (held ?? unsaid) !== undefined);
  const isLive = rule.watched?.kind === 'live';
  const ended = [...closed, ...deferred].map((episode) => ({ ...episode, held: undefined, unsaid: undefined }));
  return {
    ...mergeEffects(closed.map((episode) => endEffects(episode, options))),
    change: {
      memory: { ...memory, quietEndMs: undefined, heldSlot: undefined },
      put: isLive ? ended : [],
      drop: [...pending, ...(isLive ? [] : ended)].map(({ id }) => id),
      past: isLive ? [] : pastOf(ended),
    },
  };
}

function endEffects(episode: Episode, { rule, slotMs }: CloseOptions): Effects {
  const { key, item, spokenBy, afresh, firstSeenMs, lastSeenMs } = episode;
  const subject = { rule, slotMs, episode };
  const scope = episodeScope(slotScope(rule, slotMs), { episode, previous: item, change: { kind: 'left', previous: item } });
  return effects({
    firings: finallyFiringsByEdit({ ...subject, scope }, { kind: 'valueRemoved' }),
    withdrawals: [
      ...(spokenBy === undefined || afresh ? [] : [withdrawSection('while', { kind: 'valueRemoved' }, subject)]),
      ...withdrawWaiting({ kind: 'valueRemoved' }, subject),
    ],
    decisions: [decide('closed', { kind: 'unfollowed', name: nameOf(item, key), seenMs: lastSeenMs - firstSeenMs }, subject)],
  });
}
