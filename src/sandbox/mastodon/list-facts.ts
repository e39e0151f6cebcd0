import { z } from 'zod';
import type { Journal } from '../journal.ts';

const COLLECTION = 'mastodon.lists';

export const repliesPolicies = ['followed', 'list', 'none'] as const;

const ListFacts = z.object({
  listId: z.string(),
  title: z.string(),
  repliesPolicy: z.enum(repliesPolicies),
  exclusive: z.boolean(),
});

/** What Mastodon knows of a list beside who is on it. */
export interface ListFacts extends Readonly<z.output<typeof ListFacts>> {}

/** How lists are called and what they leave out. */
export class FactsOfLists {
  readonly #journal: Journal;
  readonly #byList = new Map<string, ListFacts>();

  constructor(journal: Journal) {
    this.#journal = journal;
    for (const document of journal.all(COLLECTION)) {
      const facts = ListFacts.parse(document);
      this.#byList.set(facts.listId, facts);
    }
  }

  find(listId: string): ListFacts | undefined {
    return this.#byList.get(listId);
  }

  put(facts: ListFacts): void {
    this.#journal.put(COLLECTION, facts.listId, { ...facts });
    this.#byList.set(facts.listId, facts);
  }
}
