import type { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Journal } from './journal.ts';

export interface StoredMapOptions<T extends object> {
  readonly journal: Journal;
  readonly collection: string;
  readonly schema: z.ZodType<T>;
  readonly keyOf: (value: T) => string;
}

export type OpenCollection = <T extends object>(options: Omit<StoredMapOptions<T>, 'journal'>) => StoredMap<T>;

/** The documents of one collection by key. A document is in the journal before anyone can read it. */
export class StoredMap<T extends object> {
  readonly #options: StoredMapOptions<T>;
  readonly #byKey: Map<string, T>;
  #changes = 0;

  constructor(options: StoredMapOptions<T>) {
    const { journal, collection, schema, keyOf } = options;
    this.#options = options;
    const stored = journal.all(collection).map((document) => schema.parse(document));
    this.#byKey = new Map(stored.map((value) => [keyOf(value), value]));
  }

  get size(): number {
    return this.#byKey.size;
  }

  get(key: string): T | undefined {
    return this.#byKey.get(key);
  }

  has(key: string): boolean {
    return this.#byKey.has(key);
  }

  /** In the order in which the keys were first stored. */
  all(): readonly T[] {
    return [...this.#byKey.values()];
  }

  /** A lookup by another property, in the order of `all`. Documents without the property are left out. */
  index(propertyOf: (value: T) => string | undefined): (property: string) => readonly T[] {
    let groups: ReadonlyMap<string | undefined, readonly T[]> = new Map();
    let indexedChanges: number | undefined;
    return (property) => {
      if (indexedChanges !== this.#changes) groups = Map.groupBy(this.#byKey.values(), propertyOf);
      indexedChanges = this.#changes;
      return groups.get(property) ?? [];
    };
  }

  /** One more than the greatest number of a document. */
  nextNumber(numberOf: (value: T) => number): number {
    return 1 + this.all().reduce((greatest, value) => Math.max(greatest, numberOf(value)), 0);
  }

  put<V extends T>(value: V): V {
    const { journal, collection, keyOf } = this.#options;
    journal.put(collection, keyOf(value), { ...value } as JsonObject); // all schemas of the sandbox describe JSON
    this.#byKey.set(keyOf(value), value);
    this.#changes += 1;
    return value;
  }

  /** Whether the document existed. */
  delete(key: string): boolean {
    this.#options.journal.drop(this.#options.collection, key);
    this.#changes += 1;
    return this.#byKey.delete(key);
  }
}
