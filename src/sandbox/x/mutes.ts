import { z } from 'zod';
import type { Journal } from '../journal.ts';

const COLLECTION = 'x.mutes';

const Mute = z.object({ from: z.string(), to: z.string(), number: z.int() });
type Mute = z.output<typeof Mute>;

/** Whom accounts do not want to hear of. */
export class Mutes {
  readonly #journal: Journal;
  readonly #byPair = new Map<string, Mute>();
  #last = 0;

  constructor(journal: Journal) {
    this.#journal = journal;
    for (const document of journal.all(COLLECTION)) this.#remember(Mute.parse(document));
  }

  has(from: string, to: string): boolean {
    return this.#byPair.has(`${from} ${to}`);
  }

  /** Ids, the latest first. */
  of(from: string): readonly string[] {
    const own = [...this.#byPair.values()].filter((mute) => mute.from === from);
    return own.toSorted((a, b) => b.number - a.number).map(({ to }) => to);
  }

  set(from: string, to: string, on: boolean): void {
    if (this.has(from, to) === on) return;
    const pair = `${from} ${to}`;
    if (on) {
      const mute = { from, to, number: this.#last + 1 };
      this.#journal.put(COLLECTION, pair, mute);
      this.#remember(mute);
    } else {
      this.#journal.drop(COLLECTION, pair);
      this.#byPair.delete(pair);
    }
  }

  #remember(mute: Mute): void {
    this.#byPair.set(`${mute.from} ${mute.to}`, mute);
    this.#last = Math.max(this.#last, mute.number);
  }
}
