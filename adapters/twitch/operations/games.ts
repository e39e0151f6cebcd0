import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import { cachedByName } from '#src/http/cache.ts';
import type { Query } from '#src/http/request-parts.ts';
import { countGames, type CountedGame, hasTag, hintForGame } from '#src/streaming/matching.ts';
import type { Game } from '#src/streaming/records.ts';
import { batchesOf } from '#src/http/batches.ts';
import { type Helix, MOST_ROWS, type Primitives } from '../client.ts';
import { readGames, readStreams, scan } from '../pages.ts';
import { isId } from './users.ts';

/** The most watched games; with tags, the games of the top streams with one of the tags, as one page. */
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
    const games = countGames(items.map((stream) => ({ stream, game: stream.game })));
    return { items: await withDetails(helix, games, signal), scanned, approximate, partialErrors };
  };
}

/** Adds the details of the games. */
async function withDetails(helix: Helix, games: readonly CountedGame[], signal: AbortSignal | undefined): Promise<readonly Game[]> {
  const batches = batchesOf(
    games.map(({ id }) => id),
    MOST_ROWS,
  );
  const pages = await Promise.all(batches.map((id) => readGames(helix, '/games', { id }, { signal })));
  const byId = new Map(pages.flatMap(({ items }) => items).map((game) => [game.id, game]));
  return games.map((game) => ({ ...game, ...byId.get(game.id), viewerCount: game.viewerCount, liveChannelCount: game.liveChannelCount }));
}

/** Resolves names of games to ids. */
export interface GameNames {
  /** The id of a game; throws `missing` for an unknown name. */
  idOf(game: string | { readonly id: string }, signal: AbortSignal | undefined): Promise<string>;
}

/** Looks up names and caches their ids for a day. */
export function gameNames(helix: Helix, clock: Clock): GameNames {
  const idOfName = cachedByName(clock, (name, signal) => lookUp(helix, name, signal));

  return {
    idOf: async (game, signal) => (typeof game === 'object' ? game.id : idOfName(game, signal)),
  };
}

/** Finds a game by its exact name, else by its id, else by its name in another case. */
async function lookUp(helix: Helix, name: string, signal: AbortSignal | undefined): Promise<string> {
  const find = async (path: string, query: Query) => (await readGames(helix, path, query, { signal })).items;

  const [named] = await find('/games', { name });
  if (named) return named.id;
  const [numbered] = isId(name) ? await find('/games', { id: name }) : [];
  if (numbered) return numbered.id;
  const similar = await find('/search/categories', { query: name, first: MOST_ROWS });
  const same = similar.find((game) => game.name.toLowerCase() === name.toLowerCase());
  if (same) return same.id;
  const message = `twitch has no game or category called "${name}": ${hintForGame(similar, 'twitch.tv')}`;
  throw new PlatformError(message, { platform: 'twitch', fault: 'missing' });
}
