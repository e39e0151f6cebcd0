import type { RuleState } from '#src/rules/episode.ts';
import type { Poll } from '#src/rules/poll.ts';

/** The state of a rule as if its slot at `restedMs` had shown the list of the last poll. */
export function restedUntil(state: RuleState, restedMs: number | undefined): RuleState {
  const { lastPollMs } = state.memory;
  if (restedMs === undefined || lastPollMs === undefined || restedMs < lastPollMs) return state;
  const episodes = new Map(
    state.episodes
      .entries()
      // The last poll shows a compact episode.
      .map(([id, episode]) => [
        id,
        episode.phase === 'open' && !episode.compact ? { ...episode, lastSeenMs: Math.max(episode.lastSeenMs, restedMs) } : episode,
      ]),
  );
  return { ...state, memory: { ...state.memory, lastPollMs: restedMs }, episodes };
}

/**
 * The last poll before a rest that no notification ended; undefined: the poll before this one was in time. Notifications may have been lost then, so a
 * new broadcast may have begun at any time since.
 */
export function unreadSince({
  restedMs,
  isHinted = false,
  poll,
  state,
}: {
  readonly restedMs?: number | undefined;
  readonly isHinted?: boolean | undefined;
  readonly poll?: Poll | undefined;
  readonly state: RuleState;
}): number | undefined {
  // A poll of some names follows the hint about them.
  const isAsked = poll && 'asked' in poll && poll.asked !== undefined;
  return restedMs === undefined || isHinted || isAsked ? undefined : state.memory.lastPollMs;
}
