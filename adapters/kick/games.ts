import type { Game } from '#src/streaming/records.ts';
import type { KickApi, Primitives } from './api.ts';
import { hasTag, scanLive, type LiveScan } from './live.ts';

/** The most watched games, counted from all streams as one page. */
export function topGames(api: KickApi): Primitives['getTopGames'] {
  return async ({ tags }, { signal }) => {
    const { found, ...scan } = await scanLive(api, {}, signal);
    const wanted = hasTag(tags);
    return { items: countGames(found.filter(({ stream }) => wanted(stream))), ...scan };
  };
}

function countGames(found: LiveScan['found']): readonly Game[] {
  const games = new Map<string, Game & { readonly viewerCount: number; readonly liveChannelCount: number }>();
  for (const { stream, game } of found) {
    if (!game) continue;
    const { viewerCount, liveChannelCount } = games.get(game.id) ?? { viewerCount: 0, liveChannelCount: 0 };
    games.set(game.id, {
      ...game,
      fetchedAt: stream.fetchedAt,
      viewerCount: viewerCount + stream.viewerCount,
      liveChannelCount: liveChannelCount + 1,
    });
  }
  return [...games.values()].toSorted((a, b) => b.viewerCount - a.viewerCount);
}
