import type { JsonObject } from '#src/operation/json.ts';
import { nameOf, type Batch, type SimulatedDelivery } from './simulated-delivery.ts';

/** What `while` sent last, by episode, and there by step, account and element. */
export type WrittenSayings = readonly (readonly [string, readonly (readonly [string, string])[]])[];

/** What `while` sent last: it sends nothing that says the same again. */
export class LastSaid {
  readonly #episodes: Map<string, Map<string, string>>;

  constructor(written: WrittenSayings = []) {
    this.#episodes = new Map(written.map(([episode, said]) => [episode, new Map(said)]));
  }

  written(): WrittenSayings {
    return [...this.#episodes].map(([episode, said]) => [episode, [...said]]);
  }

  /** Whether this would say what was said last. */
  repeats({ episode }: Batch, delivery: SimulatedDelivery, params: JsonObject): boolean {
    return !delivery.afresh && this.#episodes.get(episode)?.get(placeOf(delivery)) === JSON.stringify(params);
  }

  said({ episode }: Batch, delivery: SimulatedDelivery, params: JsonObject): void {
    const said = this.#episodes.get(episode) ?? new Map<string, string>();
    this.#episodes.set(episode, said.set(placeOf(delivery), JSON.stringify(params)));
  }

  /** What had to be sent in any case and was not leaves that to the next; a whole list speaks for each of its elements. */
  unsaid({ episode }: Batch, delivery: SimulatedDelivery): void {
    const said = this.#episodes.get(episode);
    const place = placeOf(delivery);
    for (const one of said?.keys() ?? []) {
      if (one === place || (!delivery.element && one.startsWith(place))) said?.delete(one);
    }
  }

  forget(episode: string): void {
    this.#episodes.delete(episode);
  }
}

/** The place of an element begins with that of its list. */
function placeOf(delivery: SimulatedDelivery): string {
  return `${nameOf(delivery)} ${delivery.planned.account} ${delivery.element?.key ?? ''}`;
}
