import type { Catalogue } from '#src/operation/catalogue.ts';
import type { Json, JsonObject } from '#src/operation/json.ts';
import type { Decision } from '../decision.ts';
import { NEW_STATE, type Episode, type RuleMemory, type StateChange } from '../episode.ts';
import { advance } from '../episodes/advance.ts';
import type { Firing, PlannedStep } from '../firing.ts';
import type { Poll } from '../poll.ts';
import { renderStep } from '../render.ts';
import type { Rule } from '../rule.ts';

/** One step through one account, as it was done. */
export interface Done {
  readonly firing: string;
  readonly planned: PlannedStep;
  readonly params: JsonObject;
  /** Whether it only asked something. */
  readonly reads: boolean;
}

/** One step that was not done, and why. */
export interface Undone {
  readonly planned: PlannedStep;
  readonly reason: string;
  /** Whether that is a mistake and no decision. */
  readonly failed: boolean;
}

export interface SimulatedSlot {
  readonly done: readonly Done[];
  readonly undone: readonly Undone[];
  readonly decisions: readonly Decision[];
}

export interface SlotOptions {
  readonly slotMs: number;
  readonly poll?: Poll | undefined;
  /** What comes of a step that is done. */
  readonly resultOf: (planned: PlannedStep) => Json | undefined;
  /** Whether the target of a step refuses. */
  readonly refuses: (planned: PlannedStep) => boolean;
}

/** All that outlives a restart. */
interface Written {
  readonly memory: RuleMemory;
  readonly episodes: readonly Episode[];
  readonly results: readonly (readonly [string, Readonly<Record<string, Json>>])[];
  readonly said: readonly (readonly [string, string])[];
}

/** One rule over time with nothing behind it: what it decides is done at once and in order, and goes nowhere. */
export class Simulation {
  readonly #rule: Rule;
  readonly #catalogue: Catalogue;
  #memory = NEW_STATE.memory;
  readonly #episodes: Map<string, Episode>;
  /** By firing: what the first account of each step gave. */
  readonly #results: Map<string, Readonly<Record<string, Json>>>;
  /** By episode, step and account: what `while` said last. */
  readonly #said: Map<string, string>;

  /** A new simulation, or one that goes on with what another has `written()`. */
  constructor({ rule, catalogue, written }: { readonly rule: Rule; readonly catalogue: Catalogue; readonly written?: string }) {
    const from = written === undefined ? undefined : (JSON.parse(written) as Written); // written() made it
    this.#rule = rule;
    this.#catalogue = catalogue;
    this.#memory = from?.memory ?? NEW_STATE.memory;
    this.#episodes = new Map(from?.episodes.map((episode) => [episode.id, episode]));
    this.#results = new Map(from?.results);
    this.#said = new Map(from?.said);
  }

  /** Everything that it remembers, as text. */
  written(): string {
    const written: Written = {
      memory: this.#memory,
      episodes: [...this.#episodes.values()],
      results: [...this.#results],
      said: [...this.#said],
    };
    return JSON.stringify(written);
  }

  /** Runs one slot. */
  slot(options: SlotOptions): SimulatedSlot {
    const { slotMs, poll } = options;
    const state = { memory: this.#memory, episodes: this.#episodes };
    const { change, firings, decisions } = advance({ rule: this.#rule, state, poll, slotMs });
    if (change) this.#apply(change);
    const outcomes = firings.flatMap((firing) => firing.steps.map((planned) => this.#do(planned, firing, options)));
    return {
      done: outcomes.filter((outcome) => 'params' in outcome),
      undone: outcomes.filter((outcome) => 'reason' in outcome),
      decisions,
    };
  }

  #apply({ memory, put, drop }: StateChange): void {
    this.#memory = memory;
    for (const id of drop) this.#episodes.delete(id);
    for (const episode of put) this.#episodes.set(episode.id, episode);
  }

  #do(planned: PlannedStep, firing: Firing, { resultOf, refuses }: SlotOptions): Done | Undone {
    const { step, account } = planned;
    const { names, scope } = firing;
    const rendered = renderStep({ step, names, scope, results: this.#seenBy(firing), catalogue: this.#catalogue });
    if ('skip' in rendered) return { planned, reason: rendered.skip, failed: false };
    if ('failure' in rendered) return { planned, reason: rendered.failure, failed: true };
    const { params } = rendered;
    if (refuses(planned)) return { planned, reason: 'its target refuses', failed: false };
    if (firing.section === 'while' && this.#isOldNews(planned, firing, params)) {
      return { planned, reason: 'it would say what was said last', failed: false };
    }
    const result = resultOf(planned);
    if (step.id !== undefined && account === step.as[0] && result !== undefined) {
      this.#results.set(firing.id, { ...this.#results.get(firing.id), [step.id]: result });
    }
    return { firing: firing.id, planned, params, reads: this.#catalogue.get(step.do)?.kind !== 'write' };
  }

  #seenBy({ id, sees }: Firing): Readonly<Record<string, Json>> {
    return [...sees, id].reduce((seen, firing) => ({ ...seen, ...this.#results.get(firing) }), {});
  }

  #isOldNews({ index, account }: PlannedStep, { episode, afresh }: Firing, params: JsonObject): boolean {
    const place = JSON.stringify([episode, index, account]);
    const text = JSON.stringify(params);
    if (!afresh && this.#said.get(place) === text) return true;
    this.#said.set(place, text);
    return false;
  }
}
