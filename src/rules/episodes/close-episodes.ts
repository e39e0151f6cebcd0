import type { Episode, RuleState } from '../episode.ts';
import type { Rule } from '../rule.ts';
import { stepBecause } from '../reasons/because.ts';
import type { Advance } from './advance-result.ts';
import { pastOf } from './state-change.ts';
import { fireFinally } from './telling/fire.ts';
import { decide, said, together, type Said } from './telling/said.ts';
import { episodeScope, slotScope } from './telling/scope.ts';
import { nameOf } from './telling/item-words.ts';
import { byLastRank } from './turns/by-last-rank.ts';
import { seenAt } from './turns/seen-at.ts';
import { finished } from './turns/unseen-turn.ts';

export interface CloseOptions {
  readonly rule: Rule;
  readonly state: RuleState;
  readonly slotMs: number;
}

/** Closes all open episodes of a rule that one of its values of `each` made, and that is no more: at once, with their `finally`; what was not said by then is dropped. */
export function closeEpisodes(options: CloseOptions): Advance {
  const { rule, state, slotMs } = options;
  const { memory } = state;
  const all = [...state.episodes.values()].toSorted(byLastRank);
  const pending = all.filter(({ phase }) => phase === 'pending');
  const closed = all
    .filter(({ phase }) => phase === 'open' || phase === 'closing')
    .map((episode) => finished(seenAt(episode, memory), { slotMs }).episode);
  const over = all.filter(({ phase, held, unsaid }) => phase === 'closed' && (held ?? unsaid) !== undefined);
  const isLive = rule.watched?.kind === 'live';
  const ended = [...closed, ...over].map((episode) => ({ ...episode, held: undefined, unsaid: undefined }));
  return {
    ...together(closed.map((episode) => tellEnd(episode, options))),
    change: {
      memory: { ...memory, quietEndMs: undefined, heldSlot: undefined },
      put: isLive ? ended : [],
      drop: [...pending, ...(isLive ? [] : ended)].map(({ id }) => id),
      past: isLive ? [] : pastOf(ended),
    },
  };
}

function tellEnd(episode: Episode, { rule, slotMs }: CloseOptions): Said {
  const { key, item, spokenBy, afresh, firstSeenMs, lastSeenMs, id } = episode;
  const about = { rule, slotMs, episode };
  const change = { kind: 'left', previous: item } as const;
  const firings = fireFinally({ ...about, scope: episodeScope(slotScope(rule, slotMs), { episode, previous: item, change }) });
  return said({
    firings,
    withdrawals:
      spokenBy === undefined || afresh
        ? []
        : [{ rule: rule.id, of: { episode: id }, section: 'while', ...stepBecause({ kind: 'valueRemoved' }) }],
    decisions: [decide('closed', { kind: 'unfollowed', name: nameOf(item, key), seenMs: lastSeenMs - firstSeenMs }, about)],
  });
}
