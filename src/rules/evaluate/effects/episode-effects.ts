import type { Episode } from '#src/rules/episode.ts';
import type { StoredSuppression } from '#src/rules/reasons/reason.ts';
import type { EpisodeChanges } from '../changes/change.ts';
import { isFromBaseline, type Transition, type TransitionOf } from '../transitions/transition.ts';
import { changeEffects, type Announce } from './change-effects.ts';
import { decide, effects, type Effects } from './effects.ts';
import type { EvaluatedList } from './evaluated-list.ts';
import { finallyFirings, finallyFiringsByEdit, withdrawOlder, withdrawSection, withdrawWaiting } from './firings.ts';
import {
  backReason,
  closedReason,
  missingReason,
  openedReason,
  outOfListReason,
  settlingReason,
  vanishedReason,
  waitingReason,
} from './reasons.ts';
import { episodeScope } from './scope.ts';
import { whileEffects, type WhileEffects } from './while-effects.ts';

/** The effects of one episode in one poll. */
export interface EpisodeEffects extends Effects {
  /** The episode with the verdicts about its changes. */
  readonly episode: Episode;
  /** Whether the episode is stored further. */
  readonly isKept: boolean;
}

export interface EpisodeEffectsOptions extends EvaluatedList {
  /** Absent: the rule announces slots, not changes. */
  readonly announce: Announce | undefined;
}

/** The effects of the transition and of the changes of one episode. */
export function episodeEffects(episodeChanges: EpisodeChanges, options: EpisodeEffectsOptions): EpisodeEffects {
  const { transition, begun } = episodeChanges;
  const changed = changeEffects(episodeChanges, options);
  const decided = transition?.kind === 'opened' ? stillWaiting(changed.episode, transition) : changed.episode;
  const ofTransition = transition
    ? transitionEffects(transition, { ...episodeChanges, episode: decided }, options)
    : { ...effects({}), episode: decided };
  const { episode } = ofTransition;
  const waiting = begun.map((detail) => decide('waiting', settlingReason(episode, detail, options), subjectOf(episode, options)));
  return {
    firings: joined(changed.effects.firings, ofTransition.firings),
    withdrawals: joined(changed.effects.withdrawals, ofTransition.withdrawals),
    // An end comes before the announcement of it.
    decisions:
      transition?.kind === 'closed'
        ? joined(ofTransition.decisions, changed.effects.decisions)
        : joined(joined(changed.effects.decisions, waiting), ofTransition.decisions),
    episode,
    isKept: isKept(transition, episode, options),
  };
}

/** An episode whose announcement waits further, because the request of a person for it was suppressed. */
function stillWaiting(episode: Episode, { waited }: TransitionOf<'opened'>): Episode {
  const { suppressedBy, deferred, deferredChanges } = episode;
  const isSuppressed = suppressedBy !== undefined && deferred === undefined && deferredChanges === undefined;
  return waited && isSuppressed ? { ...episode, ...waited } : episode;
}

function joined<T>(first: readonly T[], second: readonly T[]): readonly T[] {
  if (second.length === 0) return first;
  return first.length === 0 ? second : [...first, ...second];
}

function subjectOf<T extends Episode | undefined>(episode: T, { rule, slotMs }: EvaluatedList) {
  return { rule, slotMs, episode };
}

/** Only a live item can reopen its episode. A deferred change still has to be announced. */
function isKept(transition: Transition | undefined, episode: Episode, { watched }: EvaluatedList): boolean {
  if (transition?.kind === 'leftBeforeOpening') return false;
  return episode.phase !== 'closed' || watched.kind === 'live' || episode.deferredChanges !== undefined || episode.deferred !== undefined;
}

type TransitionEffects = Effects & { readonly episode: Episode };

/** The effects of a transition without those of its changes. `episode` has the verdicts about the changes. */
function transitionEffects(transition: Transition, { episode, changes }: EpisodeChanges, options: EvaluatedList): TransitionEffects {
  const subject = subjectOf(episode, options);
  switch (transition.kind) {
    case 'waited':
      return result(episode, { decisions: [decide('waiting', waitingReason(episode, options), subject)] });
    case 'missed': {
      // Only the first poll without the item gets a decision, because `grace` may last for many polls.
      const isFirst = episode.missingSinceMs === options.slotMs;
      return result(episode, { decisions: isFirst ? [decide('waiting', missingReason(episode, options), subject)] : [] });
    }
    case 'unread':
      return result(episode, {});
    case 'leftBeforeOpening':
      return result(episode, { decisions: [decide('unchanged', vanishedReason(episode, options), subject)] });
    case 'opened':
      return openedEffects(transition.episode.suppressedBy, episode, options);
    case 'stayed':
      return stayedEffects(transition, episode, options);
    case 'reopened':
      return reopenedEffects(transition, episode, options);
    case 'closed': {
      const { byEdit = false } = transition;
      const left = changes.find(({ kind }) => kind === 'left') ?? ({ kind: 'left', previous: episode.item } as const);
      const scope = episodeScope(options.stepScope, { episode, previous: episode.item, change: left });
      return result(episode, {
        firings: byEdit ? finallyFiringsByEdit({ ...subject, scope }, { kind: 'endedByEdit' }) : finallyFirings({ ...subject, scope }),
        withdrawals: [
          // Before the first `while` of an episode there is none to withdraw.
          ...(episode.announcedBy === undefined || episode.evenIfUnchanged
            ? []
            : [withdrawSection('while', { kind: 'episodeEnded' }, subject)]),
          ...withdrawWaiting({ kind: 'episodeEnded' }, subject),
        ],
        decisions: [decide('closed', byEdit ? outOfListReason(episode) : closedReason(episode, options), subject)],
      });
    }
  }
}

/** An announced entry has its own decision. `known` is the suppression before the gates decided. */
function openedEffects(known: StoredSuppression | undefined, episode: Episode, options: EvaluatedList): TransitionEffects {
  const { watched } = options;
  const announcesEntries = watched.changes.some(({ kind }) => kind === 'entered');
  if (isFromBaseline({ suppressedBy: known }) || watched.per === 'slot' || (known === undefined && announcesEntries))
    return result(episode, {});
  const suppression = known ?? ({ kind: 'notInChanges' } as const);
  const suppressed = { ...episode, suppressedBy: suppression };
  if (watched.per === 'poll' && !announcesEntries) return result(suppressed, {});
  return result(suppressed, {
    decisions: [decide('suppressed', openedReason(suppressed, suppression, options), subjectOf(episode, options))],
  });
}

function stayedEffects(transition: TransitionOf<'stayed'>, episode: Episode, options: EvaluatedList): TransitionEffects {
  const { previous, missedMs, seenMs } = transition;
  const subject = subjectOf(episode, options);
  // The poll that announces an episode does not fire its `while`.
  const wasAnnounced = transition.episode.announcedBy !== undefined;
  const { firings, decisions } = wasAnnounced ? whileEffects({ episode, previous, seenMs }, options) : NO_WHILE;
  const replaces = firings.length > 0 && !episode.evenIfUnchanged;
  const back = missedMs === undefined ? [] : [decide('unchanged', backReason(episode, missedMs, options), subject)];
  return result(firings.length > 0 && episode.evenIfUnchanged ? { ...episode, evenIfUnchanged: false } : episode, {
    firings,
    withdrawals: replaces ? [withdrawOlder(firings, subject)] : [],
    decisions: joined(back, decisions),
  });
}

const NO_WHILE: WhileEffects = { firings: [], decisions: [] };

function reopenedEffects({ previous, missedMs }: TransitionOf<'reopened'>, episode: Episode, options: EvaluatedList): TransitionEffects {
  const subject = subjectOf(episode, options);
  const { firings, decisions } = whileEffects({ episode, previous, seenMs: options.slotMs - missedMs }, options);
  return result(
    { ...episode, evenIfUnchanged: firings.length === 0 },
    {
      firings,
      withdrawals: episode.announcedBy === undefined ? [] : [withdrawSection('finally', { kind: 'itemReturned' }, subject)],
      decisions: joined([decide('suppressed', backReason(episode, missedMs, options), subject)], decisions),
    },
  );
}

function result(episode: Episode, some: Partial<Effects>): TransitionEffects {
  return { ...effects(some), episode };
}
