import type { Catalogue } from '#src/operation/catalogue.ts';
import type { TextLimit } from '#src/operation/text/limit.ts';
import type { Decision } from '../decision.ts';
import { NEW_STATE, type Episode, type RuleMemory } from '../episode.ts';
import { advance, type Advance } from '../episodes/advance.ts';
import type { Firing } from '../firing.ts';
import type { Poll } from '../poll.ts';
import type { Rule } from '../rule.ts';
import type { WrittenBatches } from './delivering/batches.ts';
import type { Done, Undone } from './delivering/outcome.ts';
import { SimulatedDeliveries } from './delivering/simulated-deliveries.ts';
import type { World } from './world/world.ts';

export type { Done, Undone } from './delivering/outcome.ts';

export interface SimulationOptions {
  readonly rule: Rule;
  readonly catalogue: Catalogue;
  readonly world: World;
  /** How long a post of an account may be, where that is known. */
  readonly textLimitOf?: ((account: string) => TextLimit | undefined) | undefined;
  /** What another simulation of the rule has `written()`. */
  readonly written?: string | undefined;
}

/** One slot of the rule; instants are in milliseconds since 1970. */
export interface SimulatedSlot {
  readonly slotMs: number;
  /** What was read; a rule that watches nothing has none. */
  readonly poll?: Poll | undefined;
  /** See `AdvanceOptions.gap`. */
  readonly gap?: boolean | undefined;
  /** See `AdvanceOptions.woken`; absent: it is a slot of the schedule. */
  readonly woken?: boolean | undefined;
}

/** What came about, in the order of time. */
export interface Happened {
  /** Steps as they were done. */
  readonly done: readonly Done[];
  /** Steps that were not done, or not yet, and why. */
  readonly undone: readonly Undone[];
  readonly decisions: readonly Decision[];
  /** What was decided to be done, whether it was done by now or not. */
  readonly firings: readonly Firing[];
}

/** All that outlives a restart. */
interface Written {
  readonly memory: RuleMemory;
  readonly episodes: readonly Episode[];
  readonly nowMs: number;
  readonly wakeMs?: number | undefined;
  readonly lastPoll?: Poll | undefined;
  readonly deliveries: WrittenBatches;
}

/**
 * One rule over simulated time, by the code that runs in production, with a {@link World} in the place of everything outside.
 *
 * Nothing happens by itself: `slot()` runs the rule at an instant, with what was read then, and does what is due at once; between two
 * slots `runUntil()` goes on with what waits for a time: a `wait`, a further attempt, a question that nobody answers, the end of quiet
 * hours. Both say what came about, and go forward only.
 *
 * @example
 * const simulation = new Simulation({ rule, catalogue, world });
 * simulation.slot({ slotMs, poll: { items: [], complete: true } });
 * const { done } = simulation.slot({ slotMs: slotMs + 60_000, poll: { items: [stream], complete: true } });
 * const later = simulation.runUntil(slotMs + 3_600_000);
 */
export class Simulation {
  readonly #rule: Rule;
  readonly #deliveries: SimulatedDeliveries;
  readonly #episodes: Map<string, Episode>;
  #memory: RuleMemory;
  #nowMs: number;
  #wakeMs: number | undefined;
  /** What is read where the rule is run between two slots: the world is as it was. */
  #lastPoll: Poll | undefined;

  /** A new simulation, or one that goes on with what another has `written()`. */
  constructor({ rule, catalogue, world, textLimitOf = () => undefined, written }: SimulationOptions) {
    const from = written === undefined ? undefined : (JSON.parse(written) as Written); // written() made it
    this.#rule = rule;
    this.#memory = from?.memory ?? NEW_STATE.memory;
    this.#episodes = new Map(from?.episodes.map((episode) => [episode.id, episode]));
    this.#nowMs = from?.nowMs ?? 0;
    this.#wakeMs = from?.wakeMs;
    this.#lastPoll = from?.lastPoll;
    const isSeen = rule.while.length + rule.finally.length > 0;
    this.#deliveries = new SimulatedDeliveries({ catalogue, world, textLimitOf, isSeen, written: from?.deliveries });
  }

  /** Everything that it remembers, as text: what goes on with it is as after a restart. */
  written(): string {
    const written: Written = {
      memory: this.#memory,
      episodes: [...this.#episodes.values()],
      nowMs: this.#nowMs,
      wakeMs: this.#wakeMs,
      lastPoll: this.#lastPoll,
      deliveries: this.#deliveries.written(),
    };
    return JSON.stringify(written);
  }

  /** What is open, by the episodes' ids. */
  get episodes(): ReadonlyMap<string, Episode> {
    return this.#episodes;
  }

  /** When the rule wants to be run, whatever its schedule says; undefined: never. */
  get wakeMs(): number | undefined {
    return this.#wakeMs;
  }

  /** When the fuse blew; from then on the rule fires no more. */
  get blownMs(): number | undefined {
    return this.#memory.blownMs;
  }

  /** When something comes about by itself, in milliseconds since 1970; undefined: never. */
  nextMs(): number | undefined {
    const dueMs = this.#deliveries.nextMs(this.#nowMs);
    return this.#wakeMs === undefined || (dueMs !== undefined && dueMs < this.#wakeMs) ? dueMs : this.#wakeMs;
  }

  /** Does all that comes due before the slot, runs the slot, and does what is due at once. */
  slot({ slotMs, poll, gap, woken = false }: SimulatedSlot): Happened {
    const events = new Events();
    this.#goOn(slotMs - 1, events);
    // Reading takes its time: what comes due at the same instant is done before.
    this.#deliver(slotMs, events);
    this.#lastPoll = poll;
    this.#run(slotMs, { gap, woken }, events);
    return events;
  }

  /** Does all that comes due until an instant, and at it. */
  runUntil(atMs: number): Happened {
    const events = new Events();
    this.#goOn(atMs, events);
    // Somebody may have answered since.
    if (atMs > this.#nowMs) this.#deliver(atMs, events);
    return events;
  }

  #goOn(untilMs: number, events: Events): void {
    for (let nextMs = this.nextMs(); nextMs !== undefined && nextMs <= untilMs; nextMs = this.nextMs()) {
      if (nextMs === this.#wakeMs) this.#run(nextMs, { woken: true }, events);
      else this.#deliver(nextMs, events);
    }
  }

  #run(slotMs: number, options: { readonly gap?: boolean | undefined; readonly woken: boolean }, events: Events): void {
    const state = { memory: this.#memory, episodes: this.#episodes, delivering: this.#deliveries.delivering() };
    const advanced = advance({ rule: this.#rule, state, poll: this.#lastPoll, slotMs, ...options });
    this.#commit(advanced, { slotMs, woken: options.woken });
    for (const decision of advanced.decisions) events.decisions.push(decision);
    for (const firing of advanced.firings) events.firings.push(firing);
    this.#deliver(slotMs, events);
  }

  #commit(
    { change, wakeMs, firings, withdrawals }: Advance,
    { slotMs, woken }: { readonly slotMs: number; readonly woken: boolean },
  ): void {
    // A slot that said nothing does not take back what the rule asked for; but in between nothing else can be read.
    const nextMs = wakeMs ?? (change ? undefined : this.#wakeMs);
    this.#wakeMs = nextMs === undefined || nextMs <= slotMs || (woken && !change) ? undefined : nextMs;
    if (change) this.#memory = change.memory;
    for (const id of change?.drop ?? []) this.#episodes.delete(id);
    for (const episode of change?.put ?? []) this.#episodes.set(episode.id, episode);
    this.#deliveries.commit({ firings, withdrawals, over: change?.drop ?? [] });
  }

  #deliver(nowMs: number, events: Events): void {
    this.#nowMs = nowMs;
    for (const outcome of this.#deliveries.run(nowMs)) {
      if ('params' in outcome) events.done.push(outcome);
      else events.undone.push(outcome);
    }
  }
}

class Events implements Happened {
  readonly done: Done[] = [];
  readonly undone: Undone[] = [];
  readonly decisions: Decision[] = [];
  readonly firings: Firing[] = [];
}
