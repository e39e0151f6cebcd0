import { z } from 'zod';
import type { Journal } from '../journal.ts';
import { Keys } from './posts.ts';

const COLLECTION = 'social.lists';

const StoredList = z.object({
  id: z.string(),
  ownerId: z.string(),
  name: z.string(),
  description: z.string(),
  isPrivate: z.boolean(),
  /** Ids, in the order in which they were put in. */
  memberIds: z.array(z.string()),
  /** The idempotency key of the owner. */
  key: z.string().optional(),
  createdAtMs: z.number(),
  deletedAtMs: z.number().optional(),
});

/** A list of users that somebody made. One that was deleted is kept, and so is its key. */
export interface StoredList extends Readonly<z.output<typeof StoredList>> {}

/** The lists that people made through the API. */
export class UserLists {
  readonly #journal: Journal;
  readonly #byId = new Map<string, StoredList>();
  readonly #keys = new Keys();
  #last = 0;

  constructor(journal: Journal) {
    this.#journal = journal;
    for (const document of journal.all(COLLECTION)) this.#remember(StoredList.parse(document));
  }

  /** Those of somebody that were not deleted, the latest first. */
  of(ownerId: string): readonly StoredList[] {
    return [...this.#byId.values()].filter((list) => list.ownerId === ownerId && list.deletedAtMs === undefined).toReversed();
  }

  find(id: string): StoredList | undefined {
    return this.#byId.get(id);
  }

  /** The first one that its owner made with this key. */
  findByKey(ownerId: string, key: string): StoredList | undefined {
    const id = this.#keys.find(ownerId, key);
    return id === undefined ? undefined : this.#byId.get(id);
  }

  add(draft: Omit<StoredList, 'id' | 'memberIds'>): StoredList {
    return this.#put({ ...draft, id: `list-${this.#last + 1}`, memberIds: [] });
  }

  setMembers(list: StoredList, memberIds: readonly string[]): StoredList {
    return this.#put({ ...list, memberIds: [...memberIds] });
  }

  delete(list: StoredList, atMs: number): void {
    this.#put({ ...list, deletedAtMs: atMs });
  }

  #put(list: StoredList): StoredList {
    // First where it survives a kill.
    this.#journal.put(COLLECTION, list.id, { ...list });
    this.#remember(list);
    return list;
  }

  #remember(list: StoredList): void {
    this.#byId.set(list.id, list);
    this.#last = Math.max(this.#last, Number(list.id.slice('list-'.length)));
    this.#keys.remember({ ownerId: list.ownerId, key: list.key, id: list.id });
  }
}
