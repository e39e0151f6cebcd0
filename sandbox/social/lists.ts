import { z } from 'zod';
import type { Journal } from '../journal.ts';
import { StoredMap } from '../stored-map.ts';
import { byKey, numberIn } from './posts.ts';

const StoredList = z.object({
  id: z.string(),
  ownerId: z.string(),
  name: z.string(),
  description: z.string(),
  isPrivate: z.boolean(),
  /** Ids in the order in which they were added. */
  memberIds: z.array(z.string()),
  /** The idempotency key of the owner. */
  key: z.string().optional(),
  createdAtMs: z.number(),
  deletedAtMs: z.number().optional(),
});

/** A list of users. A deleted list stays stored, so that its key stays known. */
export interface StoredList extends Readonly<z.output<typeof StoredList>> {}

/** The lists that people made through the API. */
export class UserLists {
  readonly #stored: StoredMap<StoredList>;
  readonly #byOwner: (ownerId: string) => readonly StoredList[];
  /** The first list that an owner made with a key. */
  readonly findByKey: (ownerId: string, key: string) => StoredList | undefined;

  constructor(journal: Journal) {
    this.#stored = new StoredMap({ journal, collection: 'social.lists', schema: StoredList, keyOf: ({ id }) => id });
    this.#byOwner = this.#stored.index(({ ownerId }) => ownerId);
    this.findByKey = byKey(this.#stored, ({ ownerId }) => ownerId);
  }

  /** The lists of a person, the latest first. Deleted lists are left out. */
  of(ownerId: string): readonly StoredList[] {
    return this.#byOwner(ownerId)
      .filter(({ deletedAtMs }) => deletedAtMs === undefined)
      .toReversed();
  }

  find(id: string): StoredList | undefined {
    return this.#stored.get(id);
  }

  add(draft: Omit<StoredList, 'id' | 'memberIds'>): StoredList {
    return this.#stored.put({ ...draft, id: `list-${this.#stored.nextNumber(({ id }) => numberIn(id))}`, memberIds: [] });
  }

  setMembers(list: StoredList, memberIds: readonly string[]): StoredList {
    return this.#stored.put({ ...list, memberIds: [...memberIds] });
  }

  delete(list: StoredList, atMs: number): void {
    this.#stored.put({ ...list, deletedAtMs: atMs });
  }
}
