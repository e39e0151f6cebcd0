import { z } from 'zod';
import type { Journal } from '../journal.ts';

const COLLECTION = 'activity-subscriptions';

const Subscription = z.object({ from: z.string(), to: z.string(), post: z.boolean(), reply: z.boolean(), sinceMs: z.number() });
/** That somebody wants to hear of what another writes. People by their ids on the stage. */
export interface Subscription extends Readonly<z.output<typeof Subscription>> {}

/** Who wants to hear of whose posts. */
export class Subscriptions {
  readonly #journal: Journal;
  readonly #subscriptions = new Map<string, Subscription>();

  constructor(journal: Journal) {
    this.#journal = journal;
    for (const document of journal.all(COLLECTION)) this.#remember(Subscription.parse(document));
  }

  /** The latest first. */
  of(from: string): readonly Subscription[] {
    return [...this.#subscriptions.values()].filter((subscription) => subscription.from === from).toReversed();
  }

  find(from: string, to: string): Subscription | undefined {
    return this.#subscriptions.get(placeOf(from, to));
  }

  /** What is wanted from now on; neither posts nor replies ends it. */
  set({ from, to, post, reply, sinceMs }: Subscription): void {
    const place = placeOf(from, to);
    const known = this.#subscriptions.get(place);
    if (!post && !reply) {
      this.#journal.drop(COLLECTION, place);
      this.#subscriptions.delete(place);
      return;
    }
    const subscription = { from, to, post, reply, sinceMs: known?.sinceMs ?? sinceMs };
    this.#journal.put(COLLECTION, place, subscription);
    this.#remember(subscription);
  }

  #remember(subscription: Subscription): void {
    this.#subscriptions.set(placeOf(subscription.from, subscription.to), subscription);
  }
}

function placeOf(from: string, to: string): string {
  return `${from} ${to}`;
}
