import { ModelGates, type Verdict } from './model-gates.ts';
import type { DueChange, ModelEpisode } from './model-episode.ts';
import type { ModelPoll, ModelRule, Sight } from './model-rule.ts';
import type { QuietCalendar } from './quiet-calendar.ts';

/** The transition of an episode in a poll, and the changes that it may announce. */
export interface EpisodeStep {
  readonly what: 'ended' | 'stayed' | 'reopened' | 'opened' | 'gone';
  readonly episode: ModelEpisode;
  readonly rank: number;
  dues: readonly DueChange[];
}

/** The effects of the model: announcements, `while`, `finally`, withdrawals and quiet hours. */
export class ModelEffects {
  readonly gates = new ModelGates();
  /** When the quiet hours with deferred changes end. */
  deferredUntil: number | undefined;
  #deferredSlot: readonly string[] | undefined;
  #rule: ModelRule;
  #calendar: QuietCalendar | undefined;
  #lines: string[] = [];
  #first: Sight | undefined;

  constructor(rule: ModelRule, calendar: QuietCalendar | undefined) {
    this.#rule = rule;
    this.#calendar = calendar;
  }

  edit(rule: ModelRule, calendar: QuietCalendar | undefined): void {
    this.#rule = rule;
    this.#calendar = calendar;
  }

  /** Drops all deferred changes. */
  forget(): void {
    this.deferredUntil = undefined;
    this.#deferredSlot = undefined;
  }

  isQuiet(now: number): boolean {
    return this.#calendar?.until(now) !== undefined;
  }

  /** The effects of a poll, one line each. */
  announce(
    steps: readonly EpisodeStep[],
    { poll, first, episodes }: { poll: ModelPoll; first: Sight | undefined; episodes: readonly ModelEpisode[] },
  ): readonly string[] {
    this.#lines = [];
    this.#first = first;
    this.gates.begin(poll.now, poll.delivering);
    this.#announceSteps(steps, poll);
    this.#quietEnd(episodes, poll.now);
    return this.#lines;
  }

  #announceSteps(steps: readonly EpisodeStep[], poll: ModelPoll): void {
    const quiet = this.isQuiet(poll.now);
    const isUndecided = ({ episode, names }: DueChange): boolean => !(quiet && names.every((name) => episode.deferred.has(name)));
    const open = steps.flatMap(({ dues }) => dues).filter(isUndecided);
    const announceable = open.filter(({ watched }) => watched);
    const { per } = this.#rule;
    if (per === 'poll' && announceable.length > 0) {
      const verdict = this.#ask(undefined);
      if (verdict === 'sent') this.#lines.push(`then poll ${written(open)}`);
      for (const due of announceable) this.#settle(due, verdict, poll.now);
    }
    if (per === 'slot') {
      for (const due of steps.flatMap(({ dues }) => dues)) due.settle();
      this.#slot(open.map(textOf), poll);
    }
    for (const { what, episode, dues } of steps) {
      if (per === 'item') {
        for (const due of dues) {
          if (!due.watched || !isUndecided(due)) continue;
          const verdict = this.#ask(episode);
          if (verdict === 'sent') this.#lines.push(`then ${textOf(due)}`);
          this.#settle(due, verdict, poll.now);
        }
      }
      this.#update(what, episode);
    }
  }

  /** Asks the gates about a firing of an item or of the rule. */
  #ask(episode: ModelEpisode | undefined): Verdict {
    const key = episode?.key ?? '';
    const loud = (episode?.last ?? this.#first)?.loud !== false;
    return this.gates.ask(this.#rule, this.#calendar, {
      key,
      loud,
      withdraws: (withdrawn) => this.#lines.push(`withdraw then ${withdrawn}`),
    });
  }

  #settle(due: DueChange, verdict: Verdict, now: number): void {
    const { episode, kind } = due;
    const hold = verdict === 'held' && this.#rule.quiet?.then === 'hold';
    const collect = verdict === 'held' && !hold;
    if (verdict === 'held') this.deferredUntil = this.#calendar?.until(now);
    if (kind === 'entered') episode.verdict = verdict === 'sent' ? 'spoke' : hold ? 'held' : collect ? 'collected' : 'silent';
    if (kind === 'left') episode.isDepartureDeferred = hold;
    if (collect) episode.collected.set(kind, textOf(due));
    if (hold) for (const name of due.names) episode.deferred.add(name);
    else due.settle();
  }

  #update(what: EpisodeStep['what'], episode: ModelEpisode): void {
    const { key, verdict } = episode;
    const isUpdated = this.#rule.hasUpdates && verdict === 'spoke';
    switch (what) {
      case 'ended':
        if (verdict === 'spoke') this.#lines.push(...this.finally(episode));
        break;
      case 'stayed':
        // An episode that was announced late has a `while` from the next poll on.
        if (!isUpdated) break;
        if (episode.hadWhile) this.#lines.push(`withdraw while ${key}`);
        episode.hadWhile = true;
        this.#lines.push(`while ${key}`);
        break;
      case 'reopened':
        if (verdict === 'spoke') this.#lines.push(`withdraw finally ${key}`);
        if (isUpdated) this.#lines.push(`while ${key}`);
        episode.hadWhile = isUpdated;
        break;
      case 'opened':
      case 'gone':
        break;
    }
  }

  finally(episode: ModelEpisode): readonly string[] {
    const { hadWhile } = episode;
    episode.hadWhile = false;
    return [...(hadWhile ? [`withdraw while ${episode.key}`] : []), ...(this.#rule.hasUpdates ? [`finally left ${episode.key}`] : [])];
  }

  #slot(changes: readonly string[], poll: ModelPoll): void {
    const { now, woken } = poll;
    const deferred = this.#deferredSlot;
    if (this.isQuiet(now)) {
      if (woken) {
        if (deferred) this.#deferredSlot = [...deferred, ...changes];
      } else if (this.#ask(undefined) === 'held') {
        this.#deferredSlot = changes;
        this.deferredUntil = this.#calendar?.until(now);
      }
      return;
    }
    this.#deferredSlot = undefined;
    const hasSteps = this.#rule.quiet?.then === 'steps';
    if (deferred && hasSteps && !this.gates.blown) this.#lines.push(`quiet ${sorted(woken ? [...deferred, ...changes] : deferred)}`);
    if (woken && (hasSteps || !deferred)) return;
    const all = deferred && !hasSteps ? [...deferred, ...changes] : changes;
    if (this.#ask(undefined) === 'sent') this.#lines.push(`then poll ${sorted(all)}`);
  }

  /** Hands the deferred changes to the steps of `quiet` once the quiet hours are over. */
  #quietEnd(episodes: readonly ModelEpisode[], now: number): void {
    if (this.isQuiet(now)) {
      if (this.deferredUntil !== undefined) this.deferredUntil = this.#calendar?.until(now);
      return;
    }
    const wasHolding = this.deferredUntil !== undefined;
    this.deferredUntil = undefined;
    if (this.#rule.quiet?.then !== 'steps' || !wasHolding || this.#rule.per === 'slot') return;
    const deferred = episodes.flatMap((episode) =>
      [...episode.collected.keys()].map((kind) => `${kind} ${episode.key} ${episode.state === 'over' ? 'over' : 'open'}`),
    );
    if (deferred.length > 0 && !this.gates.blown) this.#lines.push(`quiet ${sorted(deferred)}`);
    for (const episode of episodes) episode.collected = new Map();
  }
}

function textOf({ kind, episode, text }: DueChange): string {
  return [kind, episode.key, text].filter((part) => part !== '').join(' ');
}

function written(dues: readonly DueChange[]): string {
  return sorted(dues.map(textOf));
}

function sorted(texts: readonly string[]): string {
  return texts.toSorted().join(', ');
}
