import type { Episode } from '#src/rules/episode.ts';
import { hash, planSteps, type Firing, type Occasion, type PlanOptions, type Withdrawal } from '#src/rules/firing.ts';
import { withStepMessage } from '#src/rules/messages/format-step-reason.ts';
import type { StepReason } from '#src/rules/reasons/step-reason.ts';
import { collectingSteps, type Rule, type Scope } from '#src/rules/rule.ts';
import { endsWithEpisode, type Step } from '#src/rules/step.ts';
import type { GateDecision } from '../gates/gates.ts';
import { firedItem } from '../items/item-fields.ts';

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
export function thenFiring({ episode, scope, ...options }: EpisodeFiringOptions, { number, queue, keep }: Passed): Firing {
  return firing({
    ...options,
    scope: withKept(scope, keep),
    item: firedItem(episode),
    episode: episode.id,
    queue,
    section: 'then',
    occasion: String(number),
    steps: options.rule.then,
  });
}

/** The firing of `then` for a slot, for all changes of a poll, or for a command, which is its `item`. */
export function slotFiring(options: FiringOptions & Pick<Firing, 'item'>, { queue, keep }: Passed): Firing {
  const { now } = options.scope;
  return firing({
    ...options,
    scope: withKept(options.scope, keep),
    episode: now,
    queue,
    section: 'then',
    occasion: now,
    steps: options.rule.then,
  });
}

function withKept(scope: Scope, keep: Scope['keep']): Scope {
  return keep ? { ...scope, keep } : scope;
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

/** The firing of the steps of `limit` or `gather` for all collected changes. */
export function collectedFiring(section: 'limit' | 'gather', options: FiringOptions): Firing {
  const { rule, scope } = options;
  const steps = collectingSteps(rule, section);
  return firing({ ...options, episode: scope.now, queue: rule.id, section, occasion: scope.now, steps });
}

/**
 * The firing of `while` for an announced episode. Empty if the episode was not announced, or if no step of `while` runs now. `multipleOf`:
 * see `PlanOptions`.
 */
export function whileFirings({ episode, ...options }: EpisodeFiringOptions & Pick<PlanOptions, 'multipleOf'>): readonly Firing[] {
  const { rule, scope } = options;
  if (episode.announcedBy === undefined || rule.while.length === 0) return [];
  const { evenIfUnchanged } = episode;
  const made = firing({
    ...options,
    ...announced(episode, rule),
    section: 'while',
    occasion: scope.now,
    evenIfUnchanged,
    steps: rule.while,
  });
  return made.steps.length === 0 ? [] : [made];
}

/** The firing of `finally` for an announced episode. Empty if the episode was not announced or the rule has no `finally`. */
export function finallyFirings({ episode, ...options }: EpisodeFiringOptions): readonly Firing[] {
  const { rule } = options;
  if (episode.announcedBy === undefined || rule.finally.length === 0) return [];
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

/** Withdraws the firings of `while` before these ones. A step with `every` waits further until it runs again. */
export function withdrawOlder(firings: readonly Firing[], subject: { readonly rule: Rule; readonly episode: Episode }): Withdrawal {
  const withdrawal = withdrawSection('while', { kind: 'newerPoll' }, subject);
  const running = new Set(firings.flatMap(({ steps }) => steps.map(({ index }) => index)));
  const except = subject.rule.while.flatMap(({ everyMs, id }, index) =>
    everyMs === undefined || running.has(index) ? [] : [id ?? String(index)],
  );
  return except.length === 0 ? withdrawal : { ...withdrawal, except };
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

function announced(episode: Episode, rule: Rule): Pick<Firing, 'item' | 'episode' | 'queue'> & Pick<Episode, 'announcedBy'> {
  const { id, key, announcedBy } = episode;
  return { item: firedItem(episode), episode: id, queue: `${rule.id}/${key}`, announcedBy };
}

function firing({
  rule,
  item,
  queue,
  announcedBy,
  slotMs,
  scope,
  steps,
  evenIfUnchanged = true,
  multipleOf,
  episode,
  section,
  occasion,
}: FiringOptions &
  Omit<Occasion, 'rule'> &
  Pick<PlanOptions, 'multipleOf'> &
  Pick<Firing, 'item'> & {
    readonly queue: string;
    readonly announcedBy?: string | undefined;
    readonly steps: readonly Step[];
    readonly evenIfUnchanged?: boolean;
  }): Firing {
  const named: Occasion = { rule: rule.id, episode, section, occasion };
  return {
    ...named,
    id: hash(rule.id, episode, section, occasion),
    textVersion: rule.textVersion,
    item,
    queue,
    atMs: slotMs,
    scope,
    names: rule.names,
    sees: announcedBy === undefined ? [] : [announcedBy],
    evenIfUnchanged,
    steps: planSteps(steps, named, { item: scope.item, multipleOf }),
  };
}
