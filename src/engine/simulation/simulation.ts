import { deserialize, serialize } from 'node:v8';
import type { Decision } from '#src/rules/decision.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { keptValues } from '#src/rules/kept-values.ts';
import { NEW_STATE, type Episode, type RuleMemory } from '#src/rules/episode.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import type { CommandUse } from '#src/rules/evaluate/command-use.ts';
import type { Advance } from '#src/rules/evaluate/effects/effects.ts';
import { episodeStepOf } from '#src/rules/expression/reads.ts';
import type { Firing } from '#src/rules/firing.ts';
import type { Poll } from '#src/rules/poll.ts';
import type { ReceivedWebhook, Rule } from '#src/rules/rule.ts';
import type { Done, Undone } from '#src/engine/testing/outcome.ts';
import { hasGap, slotsOf, type Slots } from '#src/engine/scheduler/slots.ts';
import { SimulatedDeliveries, type SimulatedDeliveriesOptions } from './simulated-deliveries.ts';

export interface SimulationOptions extends Omit<SimulatedDeliveriesOptions, 'textLimitOf' | 'isRead'> {
  readonly rule: Rule;
  /** The longest text of a post through an account, if it is known. */
  readonly textLimitOf?: SimulatedDeliveriesOptions['textLimitOf'] | undefined;
  /** The stored values of the rule at the start. Absent: its start values. */
  readonly kept?: JsonObject | undefined;
  /** The firings that are carried out; otherwise all are. */
  readonly select?: ((firings: readonly Firing[]) => readonly Firing[]) | undefined;
}

/** One slot of the rule; instants are in milliseconds since 1970. */
export interface SimulatedSlot {
  readonly slotMs: number;
  /** Absent for a rule that watches nothing. */
  readonly poll?: Poll | undefined;
  /** See `AdvanceOptions.woken`; absent: it is a slot of the schedule. */
  readonly woken?: boolean | undefined;
  /** The use of the command that the rule answers. */
  readonly command?: CommandUse | undefined;
  /** The request to the webhook of the rule. */
  readonly webhook?: ReceivedWebhook | undefined;
  /** When the program stopped until this slot, in milliseconds since 1970; absent: it ran since the last slot. */
  readonly downSinceMs?: number | undefined;
  /** The rule with the lists of this slot; absent: as before. */
  readonly rule?: Rule | undefined;
}

/** The events of a simulation, in the order of time. */
export interface SimulatedEvents {
  readonly done: readonly Done[];
  /** Steps that were not done, or not yet. */
  readonly undone: readonly Undone[];
  readonly decisions: readonly Decision[];
  /** All firings, with or without pending deliveries. */
  readonly firings: readonly Firing[];
}

/** The state that survives a restart. */
interface Snapshot {
  readonly memory: RuleMemory;
  readonly episodes: ReadonlyMap<string, Episode>;
  readonly nowMs: number;
  readonly wakeMs?: number | undefined;
  readonly lastPoll?: Poll | undefined;
  readonly deliveries: Uint8Array;
}

/**
 * One rule over simulated time: the evaluation and the delivery engine of production, with a {@link World} instead of platforms.
 *
 * `slot()` runs the rule at an instant with the result of a poll and does everything that is due. Between two slots, `runUntil()` handles
 * waits, retries, unanswered questions and the end of quiet hours. Time only moves forward.
 *
 * @example
 * const simulation = new Simulation({ rule, catalogue, world });
 * await simulation.slot({ slotMs, poll: { items: [], complete: true } });
 * const { done } = await simulation.slot({ slotMs: slotMs + 60_000, poll: { items: [stream], complete: true } });
 * const later = await simulation.runUntil(slotMs + 3_600_000);
 */
export class Simulation {
  #rule: Rule;
  readonly #slots: Slots;
  readonly #deliveries: SimulatedDeliveries;
  readonly #episodes: Map<string, Episode>;
  readonly #select: (firings: readonly Firing[]) => readonly Firing[];
  #memory: RuleMemory;
  #nowMs: number;
  #wakeMs: number | undefined;
  /** If the rule runs between two slots, it gets the last poll again. */
  #lastPoll: Poll | undefined;

  /** A new simulation, or one that continues from a snapshot. */
  constructor({
    rule,
    catalogue,
    world,
    textLimitOf = () => undefined,
    postDefaultsOf,
    replyFactsOf,
    select = (all) => all,
    onRender,
    kept,
    snapshot,
  }: SimulationOptions) {
    const from = snapshot && (deserialize(snapshot) as Snapshot); // `snapshot()` made it
    this.#rule = rule;
    this.#slots = slotsOf(rule.schedule);
    this.#select = select;
    this.#memory = from?.memory ?? { ...NEW_STATE.memory, ...(kept && { kept }) };
    this.#episodes = new Map(from?.episodes);
    this.#nowMs = from?.nowMs ?? 0;
    this.#wakeMs = from?.wakeMs;
    this.#lastPoll = from?.lastPoll;
    const isRead = rule.while.length + rule.finally.length > 0 || rule.then.some(({ reads }) => reads.some(episodeStepOf));
    this.#deliveries = new SimulatedDeliveries({
      catalogue,
      world,
      textLimitOf,
      postDefaultsOf,
      replyFactsOf,
      isRead,
      onRender,
      snapshot: from?.deliveries,
    });
  }

  /** The whole state. A simulation that continues from it behaves as after a restart. */
  snapshot(): Uint8Array {
    const snapshot: Snapshot = {
      memory: this.#memory,
      episodes: this.#episodes,
      nowMs: this.#nowMs,
      wakeMs: this.#wakeMs,
      lastPoll: this.#lastPoll,
      deliveries: this.#deliveries.snapshot(),
    };
    return serialize(snapshot);
  }

  /** The open episodes, by id. */
  get episodes(): ReadonlyMap<string, Episode> {
    return this.#episodes;
  }

  /** When the rule asks to run between two slots; undefined: never. */
  get wakeMs(): number | undefined {
    return this.#wakeMs;
  }

  /** The stored values of the rule. */
  get kept(): JsonObject {
    return keptValues(this.#rule.keep ?? [], this.#memory);
  }

  /** When the limit of firings was exceeded. Afterwards, the rule does not fire. */
  get blownMs(): number | undefined {
    return this.#memory.blownMs;
  }

  /** When the rule or a delivery goes on without a poll, in milliseconds since 1970; undefined: never. */
  nextMs(): number | undefined {
    const dueMs = this.#deliveries.nextMs(this.#nowMs);
    return this.#wakeMs === undefined || (dueMs !== undefined && dueMs < this.#wakeMs) ? dueMs : this.#wakeMs;
  }

  /** Does everything that comes due before the slot, runs the slot, and does everything that is due at once. */
  async slot({ slotMs, poll, woken = false, command, webhook, downSinceMs, rule = this.#rule }: SimulatedSlot): Promise<SimulatedEvents> {
    const events = new Events();
    if (downSinceMs === undefined) await this.#goOn(slotMs - 1, events);
    else await this.#deliverBefore(downSinceMs, events);
    // A poll takes time: deliveries that come due at the same instant are done before.
    await this.#deliver(slotMs, events);
    this.#lastPoll = poll;
    this.#rule = rule;
    await this.#run(slotMs, { woken, command, webhook }, events);
    return events;
  }

  /** Does everything that comes due until an instant, and at it. */
  async runUntil(atMs: number): Promise<SimulatedEvents> {
    const events = new Events();
    await this.#goOn(atMs, events);
    // A person may have answered since.
    if (atMs > this.#nowMs) await this.#deliver(atMs, events);
    return events;
  }

  async #goOn(untilMs: number, events: Events): Promise<void> {
    for (let nextMs = this.nextMs(); nextMs !== undefined && nextMs <= untilMs; nextMs = this.nextMs()) {
      // As before a slot, what comes due at the same instant is done before the rule runs.
      await this.#deliver(nextMs, events);
      if (nextMs === this.#wakeMs) await this.#run(nextMs, { woken: true }, events);
    }
  }

  /** Makes the deliveries that come due before an instant, but does not run the rule. */
  async #deliverBefore(untilMs: number, events: Events): Promise<void> {
    for (;;) {
      const nextMs = this.#deliveries.nextMs(this.#nowMs);
      if (nextMs === undefined || nextMs >= untilMs) return;
      await this.#deliver(nextMs, events);
    }
  }

  async #run(
    slotMs: number,
    options: Pick<SimulatedSlot, 'command' | 'webhook'> & { readonly woken: boolean },
    events: Events,
  ): Promise<void> {
    const [delivering, waiting] = [await this.#deliveries.delivering(), await this.#deliveries.waiting()];
    const state = { memory: this.#memory, episodes: this.#episodes, delivering, waiting };
    const gap = hasGap(this.#rule.schedule, this.#slots, { sinceMs: this.#memory.lastPollMs, slotMs });
    const advanced = advance({ rule: this.#rule, state, poll: this.#lastPoll, slotMs, gap, ...options });
    const firings = this.#select(advanced.firings);
    this.#commit({ ...advanced, firings }, { slotMs, woken: options.woken });
    for (const decision of advanced.decisions) events.decisions.push(decision);
    for (const firing of firings) events.firings.push(firing);
    await this.#deliver(slotMs, events);
  }

  #commit(
    { change, wakeMs, firings, withdrawals }: Advance,
    { slotMs, woken }: { readonly slotMs: number; readonly woken: boolean },
  ): void {
    // A slot without changes keeps the time at which the rule asked to run; but between two slots, there is nothing new to read.
    const nextMs = wakeMs ?? (change ? undefined : this.#wakeMs);
    this.#wakeMs = nextMs === undefined || nextMs <= slotMs || (woken && !change) ? undefined : nextMs;
    if (change) this.#memory = change.memory;
    for (const id of change?.drop ?? []) this.#episodes.delete(id);
    for (const episode of change?.put ?? []) this.#episodes.set(episode.id, episode);
    this.#deliveries.commit({ firings, withdrawals, change, over: change?.drop ?? [], nowMs: slotMs });
  }

  async #deliver(nowMs: number, events: Events): Promise<void> {
    this.#nowMs = nowMs;
    for (const outcome of await this.#deliveries.run(nowMs)) {
      if ('params' in outcome) events.done.push(outcome);
      else events.undone.push(outcome);
    }
  }
}

class Events implements SimulatedEvents {
  readonly done: Done[] = [];
  readonly undone: Undone[] = [];
  readonly decisions: Decision[] = [];
  readonly firings: Firing[] = [];
}
