import type { Journal } from './journal.ts';

/** The part of a journal that is one platform's alone, where several keep the same things. */
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
