import type { Episode, RuleState } from '#src/rules/episode.ts';
import type { Rule } from '#src/rules/rule.ts';
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

/**
 * Closes all episodes of a rule whose value was removed from `each`. Fires the steps of `finally` that create nothing, and drops deferred and
 * collected changes.
 */
export function closeEpisodes(options: CloseOptions): Advance {
  const { rule, state, slotMs } = options;
  const { memory } = state;
  const all = [...state.episodes.values()].toSorted(byLastRank);
  const pending = all.filter(({ phase }) => phase === 'pending');
  const closed = all
    .filter(({ phase }) => phase === 'open' || phase === 'closing')
    .map((episode) => endEpisode(expanded(episode, memory), { slotMs }).episode);
  const deferred = all.filter(({ phase, deferredChanges, deferred }) => phase === 'closed' && (deferredChanges ?? deferred) !== undefined);
  const isLive = rule.watched?.kind === 'live';
  const ended = [...closed, ...deferred].map((episode) => ({ ...episode, deferredChanges: undefined, deferred: undefined }));
  return {
    ...mergeEffects(closed.map((episode) => endEffects(episode, options))),
    change: {
      memory: {
        ...memory,
        // The next poll of a value that returns is a first poll, because the episodes that tell what is known are deleted.
        fingerprint: isLive ? memory.fingerprint : undefined,
        limited: undefined,
        gathered: undefined,
        quietEndMs: undefined,
        deferredSlot: undefined,
      },
      put: isLive ? ended : [],
      drop: [...pending, ...(isLive ? [] : ended)].map(({ id }) => id),
      past: isLive ? [] : pastOf(ended),
    },
  };
}

function endEffects(episode: Episode, { rule, state, slotMs }: CloseOptions): Effects {
  const { key, item, announcedBy, evenIfUnchanged, firstSeenMs, lastSeenMs } = episode;
  const subject = { rule, slotMs, episode };
  const scope = episodeScope(slotScope(rule, slotMs, state.memory), { episode, previous: item, change: { kind: 'left', previous: item } });
  return effects({
    firings: finallyFiringsByEdit({ ...subject, scope }, { kind: 'removedFromEach' }),
    withdrawals: [
      ...(announcedBy === undefined || evenIfUnchanged ? [] : [withdrawSection('while', { kind: 'removedFromEach' }, subject)]),
      ...withdrawWaiting({ kind: 'removedFromEach' }, subject),
    ],
    decisions: [decide('closed', { kind: 'removedFromEach', name: nameOf(item, key), seenMs: lastSeenMs - firstSeenMs }, subject)],
  });
}
