import type { Baseline, Episode } from '#src/rules/episode.ts';
import type { GateBlock, GateSuppression, Suppression } from '#src/rules/reasons/reason.ts';
import type { Change, EpisodeChanges } from '../changes/change.ts';
import { occurrenceOf } from '../items/item-fields.ts';
import { decide, effects, mergeEffects, type Effects } from './effects.ts';
import type { EvaluatedList } from './evaluated-list.ts';
import { slotFiring, thenFiring, withdrawReplaced } from './firings.ts';
import { changeReason, pollReason } from './reasons.ts';
import { episodeScope, type ChangeOf } from './scope.ts';
import type { Rule } from '#src/rules/rule.ts';

/** The outcome of an announcement. */
type Verdict =
  | { readonly kind: 'announced'; readonly firing: string }
  | { readonly kind: 'suppressed'; readonly by: Suppression }
  | { readonly kind: 'deferred'; readonly by?: GateSuppression | undefined };

/** Announces a change, if no gate blocks it. */
export type Announce = (episode: Episode, change: Change) => { readonly verdict: Verdict; readonly effects: Effects };

type AnnounceOptions = Pick<EvaluatedList, 'rule' | 'slotMs' | 'gates' | 'stepScope' | 'conditionScope' | 'collection' | 'isNotified'>;

/** Announces each change in a separate firing. */
export function announceEach({ rule, slotMs, gates, stepScope, conditionScope, collection, isNotified }: AnnounceOptions): Announce {
  return (episode, change) => {
    const changeOf = { episode, previous: change.previous, change };
    const subject = { rule, slotMs, episode };
    const decision = gates.decide(episodeScope(conditionScope, changeOf), episode.key);
    if (decision.kind !== 'pass') {
      collection.deferred(decision, [changeOf]);
      const reason = changeReason(changeOf, decision);
      return {
        verdict: blocked(decision, rule, collection.waits(episode, change)),
        effects: effects({ decisions: [decide(decision.kind, reason, subject)] }),
      };
    }
    const firing = thenFiring({ ...subject, scope: episodeScope(stepScope, changeOf) }, decision);
    const gathered = collection.fired([changeOf]);
    const isNew = change.kind === 'entered' && rule.watched;
    const details = { firing: firing.id, ...(isNew && occurrenceOf(episode.item, isNew)), ...noticedByOf([changeOf], isNotified) };
    return {
      verdict: { kind: 'announced', firing: firing.id },
      effects: effects({
        firings: [firing],
        withdrawals: withdrawReplaced(decision, rule),
        decisions: [decide('fired', { ...changeReason(changeOf), ...gathered }, { ...subject, details })],
      }),
    };
  };
}

/** Announces all changes of a poll in one firing. The effects are empty if there are no changes. */
export function announceTogether(
  changes: readonly ChangeOf[],
  { rule, slotMs, gates, stepScope, conditionScope, collection, isNotified }: AnnounceOptions,
): Effects & { readonly announce: Announce } {
  const subject = { rule, slotMs };
  if (changes.length === 0) return { ...effects({}), announce: always({ kind: 'deferred' }) };
  const decision = gates.decide(conditionScope);
  if (decision.kind !== 'pass') {
    collection.deferred(decision, changes);
    const decisions = [decide(decision.kind, pollReason(changes, decision), subject)];
    return {
      ...effects({ decisions }),
      announce: (episode, change) => ({ verdict: blocked(decision, rule, collection.waits(episode, change)), effects: effects({}) }),
    };
  }
  const firing = slotFiring({ ...subject, scope: stepScope }, decision);
  const gathered = collection.fired(changes);
  return {
    firings: [firing],
    withdrawals: withdrawReplaced(decision, rule),
    decisions: [
      decide(
        'fired',
        { ...pollReason(changes), ...gathered },
        { ...subject, details: { firing: firing.id, ...noticedByOf(changes, isNotified) } },
      ),
    ],
    announce: always({ kind: 'announced', firing: firing.id }),
  };
}

/** What brought the polls that first showed these changes: with `settle` or in quiet hours, an earlier poll showed a new item. */
function noticedByOf(changes: readonly ChangeOf[], isNotified: boolean): { readonly noticedBy?: 'notification' } {
  const isNoticed = ({ episode, change }: ChangeOf): boolean =>
    change?.kind === 'entered' ? episode?.noticedBy === 'notification' : isNotified;
  return changes.every(isNoticed) ? { noticedBy: 'notification' } : {};
}

function always(verdict: Verdict): Announce {
  return () => ({ verdict, effects: effects({}) });
}

/** `isWaiting`: a person asked for an item whose entry waits for the steps of `limit`. They still announce it. */
function blocked({ kind, by }: GateBlock, { limit }: Rule, isWaiting: boolean): Verdict {
  if (kind === 'suppressed') return { kind, by: isWaiting ? { kind: 'deferredToLimitSteps' } : by };
  const isCollected = by.kind === 'limitReached' && typeof limit?.then === 'object';
  return isCollected ? { kind: 'suppressed', by: { kind: 'deferredToLimitSteps' } } : { kind, by };
}

/** Announces the changes of one episode. Returns the episode with the verdicts. */
export function changeEffects(
  { episode: before, changes }: EpisodeChanges,
  {
    rule,
    watched,
    slotMs,
    gates,
    wasDeferring,
    announce,
  }: Pick<EvaluatedList, 'rule' | 'watched' | 'slotMs' | 'gates' | 'wasDeferring'> & {
    /** Absent: the rule announces slots, not changes. */
    readonly announce: Announce | undefined;
  },
): { readonly episode: Episode; readonly effects: Effects } {
  if (!announce)
    return { episode: changes.filter(({ wasDeferred }) => !wasDeferred || !wasDeferring).reduce(decided, before), effects: effects({}) };
  let episode = before;
  const all: Effects[] = [];
  for (const change of changes) {
    // The firing of a poll has all changes, even if it takes the last room in `limit`.
    if (!isAnnounceable(change, watched.per === 'poll' ? wasDeferring : gates.isDeferring())) continue;
    const { verdict, effects: some } = announce(episode, change);
    episode = withVerdict(episode, change, { verdict, slotMs, collects: Array.isArray(rule.quiet?.then) });
    all.push(some);
  }
  return { episode, effects: mergeEffects(all) };
}

/** Whether a rule announces a change in this poll. A deferred change waits for the end of the quiet hours, or for room in `limit`. */
export function isAnnounceable({ isWatched, wasDeferred }: Change, isDeferring: boolean): boolean {
  return isWatched && !(wasDeferred && isDeferring);
}

function withVerdict(
  episode: Episode,
  change: Change,
  { verdict, slotMs, collects }: { readonly verdict: Verdict; readonly slotMs: number; readonly collects: boolean },
): Episode {
  const { kind, previous, from, to, threshold, previousThreshold } = change;
  const isEntry = kind === 'entered';
  switch (verdict.kind) {
    case 'announced':
      return isEntry ? { ...decided(episode, change), announcedBy: verdict.firing } : decided(episode, change);
    case 'suppressed':
      return isEntry ? { ...decided(episode, change), suppressedBy: verdict.by } : decided(episode, change);
    case 'deferred': {
      const isByLimit = verdict.by?.kind === 'limitReached';
      if (collects && !isByLimit) {
        const deferredChanges = { ...episode.deferredChanges, [kind]: { atMs: slotMs, previous, from, to, threshold, previousThreshold } };
        return {
          ...withNewBaselines(episode, change),
          deferredChanges,
          ...(isEntry && { suppressedBy: { kind: 'deferredToQuietSteps' } }),
        };
      }
      if (kind === 'entered' || kind === 'left') return { ...episode, deferred: kind, deferredBy: isByLimit ? 'limit' : undefined };
      // The baseline stays: the change is announced at the end of the quiet hours if the value still differs.
      return withBaselines(episode, change, (baseline) => ({ ...baseline, deferred: true }));
    }
  }
}

/** The episode after a change that waits no longer. */
function decided(episode: Episode, change: Change): Episode {
  return withNewBaselines(episode.deferred === change.kind ? { ...episode, deferred: undefined, deferredBy: undefined } : episode, change);
}

/** Later values are compared with the values of this change. */
function withNewBaselines(episode: Episode, change: Change): Episode {
  return withBaselines(episode, change, ({ next }) => ({ announced: change.kind === 'moved' ? 0 : next }));
}

function withBaselines(episode: Episode, { baselines }: Change, update: (baseline: Baseline) => Baseline): Episode {
  if (!episode.baselines || baselines.length === 0) return episode;
  const updated = { ...episode.baselines };
  for (const name of baselines) if (updated[name]) updated[name] = update(updated[name]);
  return { ...episode, baselines: updated };
}
