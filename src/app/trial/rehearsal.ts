import type { Json, JsonObject } from '#src/operation/json.ts';
import type { TextLimit } from '#src/operation/text/limit.ts';
import type { Decision } from '#src/rules/decision.ts';
import type { Element } from '#src/rules/element.ts';
import { NEW_STATE, type Episode, type RuleMemory, type StateChange } from '#src/rules/episode.ts';
import { advance } from '#src/rules/episodes/advance.ts';
import type { Firing, PlannedStep } from '#src/rules/firing.ts';
import type { Poll } from '#src/rules/poll.ts';
import { renderStep, type RenderOptions } from '#src/rules/render.ts';
import { isFailedFor, type StepResult, type StepResults } from '#src/rules/results.ts';
import { stepBecause, type Because } from '#src/rules/reasons/because.ts';
import type { DeliveryReason } from '#src/outbox/reason.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { Step } from '#src/rules/step.ts';
import { catalogue } from '../catalogue.ts';

/** One step through one account, and what it would do. */
export interface RehearsedStep {
  readonly firing: Firing;
  readonly planned: PlannedStep;
  readonly outcome: RehearsedOutcome;
}

/**
 * - `done`: with these parameters; several where it is done for each of a list, or becomes a thread;
 * - `skipped`: there is nothing to do;
 * - `failed`: it cannot be said, or not be asked.
 */
export type RehearsedOutcome =
  | {
      readonly kind: 'done';
      readonly params: readonly JsonObject[];
      readonly reads: boolean;
      /** What of it was too long, where it was cut. */
      readonly cut?: string | undefined;
    }
  | ({ readonly kind: 'skipped' | 'failed' } & Because<DeliveryReason>);

/** A step that is done. */
interface RehearsedCall {
  readonly firing: Firing;
  readonly planned: PlannedStep;
  readonly params: JsonObject;
  readonly slotMs: number;
}

export interface RehearsalOptions {
  readonly rule: Rule;
  /** How long a post of an account may be. */
  readonly textLimitOf: (account: string, step: Step) => TextLimit | undefined;
  /** What comes of a step that is done; whoever throws an `Error` says why it cannot be. */
  readonly resultOf: (step: RehearsedCall) => Promise<Json | undefined>;
}

/** What one slot would bring about. */
export interface RehearsedSlot {
  readonly decisions: readonly Decision[];
  readonly steps: readonly RehearsedStep[];
}

/** One rule over time, through the machinery that runs in production, and nothing behind it: nothing is sent and nothing kept. */
export class Rehearsal {
  readonly #options: RehearsalOptions;
  #memory: RuleMemory = NEW_STATE.memory;
  readonly #episodes = new Map<string, Episode>();
  readonly #results = new Map<string, StepResults>();
  /** By episode, step and account: what `while` said last. */
  readonly #said = new Map<string, string>();

  constructor(options: RehearsalOptions) {
    this.#options = options;
  }

  /** Runs one slot; `only` leaves out the firings that nobody wants to see. */
  async slot(
    { slotMs, poll }: { readonly slotMs: number; readonly poll?: Poll | undefined },
    only: (firings: readonly Firing[]) => readonly Firing[] = (all) => all,
  ): Promise<RehearsedSlot> {
    const state = { memory: this.#memory, episodes: this.#episodes };
    const { change, firings, decisions } = advance({ rule: this.#options.rule, state, poll, slotMs });
    if (change) this.#apply(change);
    const steps: RehearsedStep[] = [];
    for (const firing of only(firings)) {
      for (const planned of firing.steps) steps.push({ firing, planned, outcome: await this.#rehearse(planned, firing, slotMs) });
    }
    return { decisions, steps };
  }

  #apply({ memory, put, drop }: StateChange): void {
    this.#memory = memory;
    for (const id of drop) this.#episodes.delete(id);
    for (const episode of put) this.#episodes.set(episode.id, episode);
  }

  async #rehearse(planned: PlannedStep, firing: Firing, slotMs: number): Promise<RehearsedOutcome> {
    const { step, account } = planned;
    const reads = catalogue.get(step.do)?.kind !== 'write';
    const rendered = this.#render(planned, firing);
    if (!Array.isArray(rendered)) {
      this.#keep(firing, planned, {
        isFailed: isFailedFor(step, { state: rendered.kind, why: 'why' in rendered ? rendered.why?.kind : undefined }),
      });
      return rendered;
    }
    const params = rendered.map(([one]) => one);
    if (firing.section === 'while' && this.#isOldNews(planned, firing, params))
      return { kind: 'skipped', reason: 'it would say what was said last', why: { kind: 'same' } };
    try {
      const results: Json[] = [];
      for (const one of params) results.push((await this.#options.resultOf({ firing, planned, params: one, slotMs })) ?? {});
      this.#keep(firing, planned, { result: step.forEach === undefined ? results[0] : results });
      return { kind: 'done', params, reads, cut: this.#cut(planned, firing, rendered[0]?.[1]) };
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.#keep(firing, planned, { isFailed: isFailedFor(step, { state: 'failed' }) });
      return { kind: 'failed', reason: `${step.do} through ${account}: ${error.message}` };
    }
  }

  /** The parameters of each time that it is done, and what each of them is for. */
  #render(planned: PlannedStep, firing: Firing): RehearsedOutcome | (readonly [JsonObject, Element | undefined])[] {
    const rendered = renderStep(this.#renderOptions(planned, firing));
    if ('skip' in rendered) return { kind: 'skipped', ...stepBecause(rendered.skip) };
    if ('failure' in rendered) return { kind: 'failed', reason: rendered.failure };
    if ('params' in rendered) return [[rendered.params, undefined]];
    if ('thread' in rendered) return rendered.thread.map((part) => [part, undefined]);
    const found = rendered.each.flatMap((element): (readonly [JsonObject, Element])[] => {
      const one = renderStep({ ...this.#renderOptions(planned, firing), element });
      return 'params' in one ? [[one.params, element]] : 'thread' in one ? one.thread.map((part) => [part, element]) : [];
    });
    return found.length > 0 ? found : { kind: 'skipped', ...stepBecause({ kind: 'noneOfList' }) };
  }

  #renderOptions({ step, account }: PlannedStep, firing: Firing): RenderOptions {
    const { names, scope, section } = firing;
    const textLimit = this.#options.textLimitOf(account, step);
    return { step, names, scope, section, account, results: this.#seenBy(firing), textLimit, catalogue };
  }

  #cut(planned: PlannedStep, firing: Firing, element: Element | undefined): string | undefined {
    const step = { ...planned.step, fit: 'error' } as const;
    if (planned.step.fit === 'thread') return undefined;
    const whole = renderStep({ ...this.#renderOptions({ ...planned, step }, firing), element });
    return 'failure' in whole ? whole.failure.slice(planned.step.do.length + 2) : undefined;
  }

  #keep({ id }: Firing, { step, account }: PlannedStep, made: Omit<StepResult, 'account'>): void {
    if (step.id === undefined) return;
    const results = this.#results.get(id) ?? {};
    this.#results.set(id, { ...results, [step.id]: [...(results[step.id] ?? []), { account, ...made }] });
  }

  #seenBy({ id, sees }: Firing): StepResults {
    return [...sees, id].reduce((all, firing) => ({ ...all, ...this.#results.get(firing) }), {});
  }

  #isOldNews({ index, account }: PlannedStep, { episode, afresh }: Firing, params: readonly JsonObject[]): boolean {
    const place = JSON.stringify([episode, index, account]);
    const text = JSON.stringify(params);
    if (!afresh && this.#said.get(place) === text) return true;
    this.#said.set(place, text);
    return false;
  }
}
