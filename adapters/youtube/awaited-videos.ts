import type { Clock } from '#src/clock.ts';
import type { Watched, WatchList } from '#src/clients/social/providers.ts';

/** The live and announced videos of a channel that are read after they left its list. Forgotten announcements stay open for years. */
const MOST_OF_CHANNEL = 15;
const MOST = 10_000;

/** The videos that were live or announced when they were last read: other videos push them out of the list of their channel. */
export interface AwaitedVideos {
  /** The ids of videos by the id of their channel. */
  all(): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Replaces those of a channel: all but the first 15 are forgotten. */
  replace(channelId: string, known: readonly string[], ids: readonly string[]): Promise<void>;
}

/** Keeps the videos in the watch list of the account, so that other processes and the next start find them. */
export function awaitedVideos(clock: Clock, list: WatchList = inMemory()): AwaitedVideos {
  return {
    async all() {
      const rows = (await list.all()).map(({ id }) => id.split('/'));
      const byChannel = Map.groupBy(rows, ([channelId = '']) => channelId);
      return new Map(byChannel.entries().map(([channelId, videos]) => [channelId, videos.map(([, id = '']) => id)]));
    },

    async replace(channelId, known, ids) {
      const kept = ids.slice(0, MOST_OF_CHANNEL);
      const added = kept.filter((id) => !known.includes(id));
      for (const id of known) if (!kept.includes(id)) await list.remove(`${channelId}/${id}`);
      for (const id of added) await list.add({ id: `${channelId}/${id}`, since: new Date(clock.nowMs()) });
      if (added.length === 0) return;
      const stored = await list.all();
      for (const { id } of stored.slice(0, Math.max(0, stored.length - MOST))) await list.remove(id);
    },
  };
}

/** A watch list that ends with the process. */
function inMemory(): WatchList {
  const watched = new Map<string, Watched>();
  return {
    all: () => Promise.resolve([...watched.values()]),
    add: async (one) => {
      if (!watched.has(one.id)) watched.set(one.id, one);
    },
    remove: async (id) => {
      watched.delete(id);
    },
  };
}
