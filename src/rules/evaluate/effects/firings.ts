import type { Episode } from '../../episode.ts';
import { hash, planSteps, type Firing, type Occasion, type Withdrawal } from '../../firing.ts';
import { withStepMessage } from '../../messages/format-step-reason.ts';
import type { StepReason } from '../../reasons/step-reason.ts';
import type { Rule, Scope } from '../../rule.ts';
import { endsWithEpisode, type Step } from '../../step.ts';
import type { GateDecision } from '../gates/gates.ts';

interface FiringOptions {
  readonly rule: Rule;
  readonly slotMs: number;
  readonly scope: Scope;
}

interface EpisodeFiringOptions extends FiringOptions {
  readonly episode: Episode;
}

type Passed = Extract<GateDecision, { readonly kind: 'pass' }>;

/** The firing of `then` for one item. */
export function thenFiring({ episode, ...options }: EpisodeFiringOptions, { number, queue }: Passed): Firing {
  return firing({ ...options, episode: episode.id, queue, section: 'then', occasion: String(number), steps: options.rule.then });
}

/** The firing of `then` for a slot or for all changes of a poll. */
export function slotFiring(options: FiringOptions, { queue }: Passed): Firing {
  const { now } = options.scope;
  return firing({ ...options, episode: now, queue, section: 'then', occasion: now, steps: options.rule.then });
}

/** The firing of the steps of `quiet` for everything that was deferred. */
export function quietFiring({
  endMs,
  steps,
  ...options
}: FiringOptions & { readonly endMs: number; readonly steps: readonly Step[] }): Firing {
  const end = new Date(endMs).toISOString();
  return firing({ ...options, episode: end, queue: options.rule.id, section: 'quiet', occasion: end, steps });
}

/** The firing of `while` for an announced episode. Empty if the episode was not announced or the rule has no `while`. */
export function whileFirings({ episode, ...options }: EpisodeFiringOptions): readonly Firing[] {
  const { rule, scope } = options;
  if (episode.spokenBy === undefined || rule.while.length === 0) return [];
  const { afresh: evenIfUnchanged } = episode;
  return [firing({ ...options, ...announced(episode, rule), section: 'while', occasion: scope.now, evenIfUnchanged, steps: rule.while })];
}

/** The firing of `finally` for an announced episode. Empty if the episode was not announced or the rule has no `finally`. */
export function finallyFirings({ episode, ...options }: EpisodeFiringOptions): readonly Firing[] {
  const { rule } = options;
  if (episode.spokenBy === undefined || rule.finally.length === 0) return [];
  return [firing({ ...options, ...announced(episode, rule), section: 'finally', occasion: String(episode.closes), steps: rule.finally })];
}

/**
 * The firing of `finally` for an episode that ends only because of an edit. The item itself did not end, so the steps edit and delete the
 * messages of the episode, and create nothing.
 */
export function finallyFiringsByEdit(options: EpisodeFiringOptions, reason: StepReason): readonly Firing[] {
  const suppressed = withStepMessage(reason);
  return finallyFirings(options).map((one) => ({
    ...one,
    steps: one.steps.map((planned) => (planned.step.creates ? { ...planned, suppressed } : planned)),
  }));
}

/** Withdraws the firings of an episode that were not begun. */
export function withdrawSection(
  section: Withdrawal['section'],
  reason: StepReason,
  { rule, episode }: { readonly rule: Rule; readonly episode: Episode },
): Withdrawal {
  return { rule: rule.id, of: { episode: episode.id }, section, ...withStepMessage(reason) };
}

/** Withdraws the steps of `then` that wait and would create something, because their episode ended. */
export function withdrawWaiting(reason: StepReason, subject: { readonly rule: Rule; readonly episode: Episode }): readonly Withdrawal[] {
  if (!subject.rule.then.some(endsWithEpisode)) return [];
  return [{ ...withdrawSection('then', reason, subject), only: 'endsWithEpisode' }];
}

/** Withdraws the firings that a new firing of the same queue replaces. */
export function withdrawReplaced({ replaces, queue }: Passed, rule: Rule): readonly Withdrawal[] {
  return replaces ? [{ rule: rule.id, of: { queue }, section: 'then', ...withStepMessage({ kind: 'replaced' }) }] : [];
}

function announced({ id, key, spokenBy }: Episode, rule: Rule): { episode: string; queue: string; spokenBy: string | undefined } {
  return { episode: id, queue: `${rule.id}/${key}`, spokenBy };
}

function firing({
  rule,
  queue,
  spokenBy,
  slotMs,
  scope,
  steps,
  evenIfUnchanged = true,
  episode,
  section,
  occasion,
}: FiringOptions &
  Omit<Occasion, 'rule'> & {
    readonly queue: string;
    readonly spokenBy?: string | undefined;
    readonly steps: readonly Step[];
    readonly evenIfUnchanged?: boolean;
  }): Firing {
  const named: Occasion = { rule: rule.id, episode, section, occasion };
  return {
    ...named,
    id: hash(rule.id, episode, section, occasion),
    queue,
    atMs: slotMs,
    scope,
    names: rule.names,
    sees: spokenBy === undefined ? [] : [spokenBy],
    evenIfUnchanged,
    steps: planSteps(steps, named),
  };
}
