import type { Game, Stream } from '#src/streaming/records.ts';
import { batchesOf, MOST_ROWS, type Helix, type Primitives } from './helix.ts';
import { readGames, readStreams } from './pages.ts';
import { hasTag, scan } from './scan.ts';

/** The most watched games; with tags, those of the top streams that have one, counted from them as one page. */
export function topGames(helix: Helix): Primitives['getTopGames'] {
  return async ({ tags = [] }, { cursor, signal }) => {
    if (tags.length === 0) return readGames(helix, '/games/top', { first: MOST_ROWS }, { cursor, signal });

    const read = (after: string | undefined) => readStreams(helix, {}, { cursor: after, signal });
    const { items, scanned, approximate, partialErrors } = await scan({
      read,
      keep: hasTag(tags),
      requests: helix.pageRequests,
      size: Infinity,
    });
    return { items: await described(helix, countGames(items), signal), scanned, approximate, partialErrors };
  };
}

type Counted = Game & { readonly viewerCount: number; readonly liveChannelCount: number };

/** The games of the streams, most watched first. */
function countGames(streams: readonly Stream[]): readonly Counted[] {
  const games = new Map<string, Counted>();
  for (const { game, viewerCount, fetchedAt } of streams) {
    if (!game) continue;
    const counted = games.get(game.id) ?? { ...game, fetchedAt, viewerCount: 0, liveChannelCount: 0 };
    games.set(game.id, {
      ...counted,
      viewerCount: counted.viewerCount + viewerCount,
      liveChannelCount: counted.liveChannelCount + 1,
    });
  }
  return [...games.values()].toSorted((a, b) => b.viewerCount - a.viewerCount);
}

/** The same games with what only a look at the game itself tells. */
async function described(helix: Helix, games: readonly Counted[], signal: AbortSignal | undefined): Promise<readonly Game[]> {
  const batches = batchesOf(games.map(({ id }) => id));
  const pages = await Promise.all(batches.map((id) => readGames(helix, '/games', { id }, { signal })));
  const byId = new Map(pages.flatMap(({ items }) => items).map((game) => [game.id, game]));
  return games.map((game) => ({ ...game, ...byId.get(game.id), viewerCount: game.viewerCount, liveChannelCount: game.liveChannelCount }));
}
