import type { Firing, Withdrawal } from '../../firing.ts';
import { needsOf } from '../../needs.ts';
import { LastSaid, type WrittenSayings } from './last-said.ts';
import { isOpen, newDelivery, toNeeded, type Batch, type SimulatedDelivery } from './simulated-delivery.ts';

/** All that outlives a restart. */
export interface WrittenBatches {
  readonly batches: readonly Batch[];
  readonly said: WrittenSayings;
  readonly over: readonly string[];
}

/** What one slot brought. */
export interface Decided {
  readonly withdrawals: readonly Withdrawal[];
  readonly firings: readonly Firing[];
  /** Episodes of which nothing more comes. */
  readonly over: readonly string[];
}

/** The deliveries of a simulation: all that are to be done, and of those that are done what others may still look at. */
export class Batches {
  /** What `while` said last. */
  readonly said: LastSaid;
  /** By firing, in the order of the commits. */
  readonly #batches: Map<string, Batch>;
  /** Those of them with something left to do. */
  readonly #open: Set<Batch>;
  readonly #byId: Map<string, SimulatedDelivery>;
  /** Episodes of which nothing more comes. */
  readonly #over: Set<string>;
  readonly #isSeen: boolean;

  /** `isSeen`: later firings of an episode look at what its earlier ones did. */
  constructor({ isSeen, written }: { readonly isSeen: boolean; readonly written?: WrittenBatches | undefined }) {
    const { batches = [], said, over } = written ?? {};
    this.said = new LastSaid(said);
    this.#batches = new Map(batches.map((batch) => [batch.id, batch]));
    this.#open = new Set(batches.filter(({ deliveries }) => deliveries.some(isOpen)));
    this.#byId = new Map(batches.flatMap(({ deliveries }) => deliveries.map((one) => [one.id, one])));
    this.#over = new Set(over);
    this.#isSeen = isSeen;
  }

  written(): WrittenBatches {
    return { batches: [...this.#batches.values()], said: this.said.written(), over: [...this.#over] };
  }

  /** Those with something left to do, in the order of the commits. */
  get open(): ReadonlySet<Batch> {
    return this.#open;
  }

  find(id: string): SimulatedDelivery | undefined {
    return this.#byId.get(id);
  }

  /** Takes back what a slot took back, and takes up what it decided. */
  commit({ withdrawals, firings, over }: Decided): void {
    for (const withdrawal of withdrawals) this.#withdraw(withdrawal);
    for (const firing of firings) this.#add(firing);
    for (const episode of over) {
      this.#over.add(episode);
      this.#forget(episode);
    }
  }

  /** There are more of them. */
  remember(deliveries: readonly SimulatedDelivery[]): void {
    for (const delivery of deliveries) this.#byId.set(delivery.id, delivery);
  }

  /** Lets go of what is done and nobody looks at any more. */
  closeIfDone(batch: Batch): void {
    const { section, episode, deliveries } = batch;
    if (!this.#open.has(batch) || deliveries.some(isOpen)) return;
    this.#open.delete(batch);
    // `while` and `finally` read what `then` made, and what `finally` made once it does not make again.
    if (this.#isSeen && (section === 'then' || section === 'finally')) batch.firing = undefined;
    else this.#drop(batch);
    if (this.#over.has(episode)) this.#forget(episode);
  }

  #withdraw({ of, section }: Withdrawal): void {
    for (const batch of this.#open) {
      const isMeant = 'queue' in of ? batch.queue === of.queue : batch.episode === of.episode;
      if (!isMeant || batch.section !== section) continue;
      for (const delivery of batch.deliveries) {
        if (delivery.state !== 'pending' || delivery.after !== undefined) continue;
        delivery.state = 'skipped';
        if (section === 'while' && (delivery.afresh || delivery.sinceMs !== undefined)) this.said.unsaid(batch, delivery);
      }
      this.closeIfDone(batch);
    }
  }

  #add(firing: Firing): void {
    const { id, section, queue, episode, sees, steps } = firing;
    // What was taken back may be decided again under its old key.
    const fresh = steps.filter(({ key }) => (this.#byId.get(key)?.state ?? 'skipped') === 'skipped');
    if (this.#batches.has(id) || fresh.length === 0) return;
    const seen = sees.flatMap((one) => this.#batches.get(one)?.deliveries.map(toNeeded) ?? []);
    const needs = Map.groupBy(needsOf(firing, seen), ({ delivery }) => delivery);
    const deliveries = fresh.map((planned) => newDelivery(planned, firing, needs.get(planned.key) ?? []));
    const batch: Batch = { id, section, queue, episode, firing, deliveries };
    this.#batches.set(id, batch);
    this.#open.add(batch);
    this.remember(deliveries);
  }

  /** Forgets an episode of which nothing more comes, as soon as nothing of it is left to do. */
  #forget(episode: string): void {
    const its = [...this.#batches.values()].filter((batch) => batch.episode === episode);
    if (its.some((batch) => this.#open.has(batch))) return;
    for (const batch of its) this.#drop(batch);
    this.said.forget(episode);
    this.#over.delete(episode);
  }

  #drop({ id, deliveries }: Batch): void {
    this.#batches.delete(id);
    for (const delivery of deliveries) if (this.#byId.get(delivery.id) === delivery) this.#byId.delete(delivery.id);
  }
}
