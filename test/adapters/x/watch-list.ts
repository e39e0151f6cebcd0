import type { WatchList, Watched } from '#src/clients/social/providers.ts';

/** Creates a watch list in memory. */
export function watchListInMemory(): WatchList {
  const watched = new Map<string, Watched>();
  return {
    all: async () => [...watched.values()],
    async add(one) {
      if (!watched.has(one.id)) watched.set(one.id, one);
    },
    async remove(id) {
      watched.delete(id);
    },
  };
}
