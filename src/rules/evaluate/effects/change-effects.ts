import type { Baseline, Episode } from '../../episode.ts';
import type { GateBlock, GateSuppression } from '../../reasons/reason.ts';
import type { Change, EpisodeChanges } from '../changes/change.ts';
import type { Gates } from '../gates/gates.ts';
import { decide, effects, mergeEffects, type Effects } from './effects.ts';
import type { EvaluatedList } from './evaluated-list.ts';
import { slotFiring, thenFiring, withdrawReplaced } from './firings.ts';
import { changeReason, pollReason } from './reasons.ts';
import { episodeScope, type ChangeOf } from './scope.ts';

/** The outcome of an announcement. */
type Verdict =
  | { readonly kind: 'announced'; readonly firing: string }
  | { readonly kind: 'refused'; readonly by: GateSuppression }
  | { readonly kind: 'held' };

/** Announces a change, if no gate blocks it. */
export type Announce = (episode: Episode, change: Change) => { readonly verdict: Verdict; readonly effects: Effects };

type AnnounceOptions = Pick<EvaluatedList, 'rule' | 'slotMs' | 'gates' | 'stepScope' | 'conditionScope'>;

/** Announces each change in a separate firing. */
export function announceEach({ rule, slotMs, gates, stepScope, conditionScope }: AnnounceOptions): Announce {
  return (episode, change) => {
    const changeOf = { episode, previous: change.previous, change };
    const subject = { rule, slotMs, episode };
    const decision = gates.decide(episodeScope(conditionScope, changeOf), episode.key);
    if (decision.kind !== 'pass') {
      const reason = changeReason(changeOf, decision);
      return { verdict: blocked(decision), effects: effects({ decisions: [decide(decision.kind, reason, subject)] }) };
    }
    const firing = thenFiring({ ...subject, scope: episodeScope(stepScope, changeOf) }, decision);
    return {
      verdict: { kind: 'announced', firing: firing.id },
      effects: effects({
        firings: [firing],
        withdrawals: withdrawReplaced(decision, rule),
        decisions: [decide('fired', changeReason(changeOf), { ...subject, details: { firing: firing.id } })],
      }),
    };
  };
}

/** Announces all changes of a poll in one firing. The effects are empty if there are no changes. */
export function announceTogether(
  changes: readonly ChangeOf[],
  { rule, slotMs, gates, stepScope, conditionScope }: AnnounceOptions,
): Effects & { readonly announce: Announce } {
  const subject = { rule, slotMs };
  if (changes.length === 0) return { ...effects({}), announce: always({ kind: 'held' }) };
  const decision = gates.decide(conditionScope);
  if (decision.kind !== 'pass') {
    const decisions = [decide(decision.kind, pollReason(changes, decision), subject)];
    return { ...effects({ decisions }), announce: always(blocked(decision)) };
  }
  const firing = slotFiring({ ...subject, scope: stepScope }, decision);
  return {
    firings: [firing],
    withdrawals: withdrawReplaced(decision, rule),
    decisions: [decide('fired', pollReason(changes), { ...subject, details: { firing: firing.id } })],
    announce: always({ kind: 'announced', firing: firing.id }),
  };
}

function always(verdict: Verdict): Announce {
  return () => ({ verdict, effects: effects({}) });
}

function blocked({ kind, by }: GateBlock): Verdict {
  return kind === 'held' ? { kind } : { kind, by };
}

/** Announces the changes of one episode. Returns the episode with the verdicts. */
export function changeEffects(
  { episode: before, changes }: EpisodeChanges,
  {
    rule,
    slotMs,
    gates,
    announce,
  }: Pick<EvaluatedList, 'rule' | 'slotMs' | 'gates'> & {
    /** Absent: the rule announces slots, not changes. */
    readonly announce: Announce | undefined;
  },
): { readonly episode: Episode; readonly effects: Effects } {
  if (!announce) return { episode: changes.reduce(withNewBaselines, before), effects: effects({}) };
  let episode = before;
  const all: Effects[] = [];
  for (const change of changes) {
    if (!isAnnounceable(change, gates)) continue;
    const { verdict, effects: some } = announce(episode, change);
    episode = withVerdict(episode, change, { verdict, slotMs, collects: Array.isArray(rule.quiet?.then) });
    all.push(some);
  }
  return { episode, effects: mergeEffects(all) };
}

/** Whether a rule announces a change in this poll. A deferred change waits for the end of the quiet hours. */
export function isAnnounceable({ isWatched, wasDeferred }: Change, gates: Gates): boolean {
  return isWatched && !(wasDeferred && gates.isQuiet());
}

function withVerdict(
  episode: Episode,
  change: Change,
  { verdict, slotMs, collects }: { readonly verdict: Verdict; readonly slotMs: number; readonly collects: boolean },
): Episode {
  const { kind, previous, from, to } = change;
  const isEntry = kind === 'entered';
  const decided = (): Episode => withNewBaselines(episode.unsaid === kind ? { ...episode, unsaid: undefined } : episode, change);
  switch (verdict.kind) {
    case 'announced':
      return { ...decided(), ...(isEntry && { spokenBy: verdict.firing }) };
    case 'refused':
      return { ...decided(), ...(isEntry && { silence: verdict.by }) };
    case 'held': {
      if (collects) {
        const held = { ...episode.held, [kind]: { atMs: slotMs, previous, from, to } };
        return { ...withNewBaselines(episode, change), held, ...(isEntry && { silence: { kind: 'collected' } }) };
      }
      if (kind === 'entered' || kind === 'left') return { ...episode, unsaid: kind };
      // The baseline stays: the change is announced at the end of the quiet hours if the value still differs.
      return withBaselines(episode, change, (baseline) => ({ ...baseline, held: true }));
    }
  }
}

/** Later values are compared with the values of this change. */
function withNewBaselines(episode: Episode, change: Change): Episode {
  return withBaselines(episode, change, ({ next }) => ({ said: change.kind === 'moved' ? 0 : next }));
}

function withBaselines(episode: Episode, { baselines }: Change, update: (baseline: Baseline) => Baseline): Episode {
  const { marks } = episode;
  if (!marks || baselines.length === 0) return episode;
  const updated = { ...marks };
  for (const name of baselines) if (marks[name]) updated[name] = update(marks[name]);
  return { ...episode, marks: updated };
}
