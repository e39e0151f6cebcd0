import type { Json } from '#src/clients/operation/json.ts';

/** Documents by collection and id, in the order of their first write. */
export interface Journal {
  put(collection: string, id: string, document: Json): void;
  get(collection: string, id: string): Json | undefined;
  all(collection: string): readonly Json[];
  drop(collection: string, id: string): void;
  close(): void;
}

/** The documents of one platform, if several platforms use the same collections. */
export function scopedJournal(journal: Journal, scope: string): Journal {
  const within = (collection: string): string => `${scope}/${collection}`;
  return {
    put: (collection, id, document) => journal.put(within(collection), id, document),
    get: (collection, id) => journal.get(within(collection), id),
    all: (collection) => journal.all(within(collection)),
    drop: (collection, id) => journal.drop(within(collection), id),
    close: () => journal.close(),
  };
}
