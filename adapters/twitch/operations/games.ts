import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import { cachedByName } from '#src/http/cache.ts';
import { countGames, type CountedGame, hasTag, hintForGame, withoutSpareSpaces } from '#src/clients/streaming/matching.ts';
import type { Game } from '#src/clients/streaming/records.ts';
import { batched } from '#src/http/batched.ts';
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
  const byName = batched<Game>({ most: MOST_ROWS, load: (names, signal) => gamesNamed(helix, names, signal) });
  const byId = batched<Game>({
    most: MOST_ROWS,
    load: async (ids, signal) => new Map((await readGames(helix, '/games', { id: ids }, { signal })).items.map((game) => [game.id, game])),
  });

  /** Finds a game by its exact name, else by its id, else by its name in another case. */
  async function lookUp(name: string, signal: AbortSignal | undefined): Promise<string> {
    const found = (await byName(name, signal)) ?? (isId(name) ? await byId(name, signal) : undefined);
    if (found) return found.id;
    const { items: similar } = await readGames(helix, '/search/categories', { query: name, first: MOST_ROWS }, { signal });
    const same = similar.find((game) => game.name.toLowerCase() === name.toLowerCase());
    if (same) return same.id;
    const message = `twitch has no game or category "${name}": ${hintForGame(similar, 'twitch.tv')}`;
    throw new PlatformError(message, { platform: 'twitch', fault: 'missing' });
  }

  const idOfName = cachedByName(clock, lookUp);
  return {
    idOf: async (game, signal) => (typeof game === 'object' ? game.id : idOfName(withoutSpareSpaces(game), signal)),
  };
}

/** The games with these names. */
async function gamesNamed(helix: Helix, names: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Game>> {
  const { items } = await readGames(helix, '/games', { name: names }, { signal });
  const [first] = items;
  const [only, ...others] = names;
  // Twitch may know a game by a name that differs from its own.
  if (only !== undefined && others.length === 0) return new Map(first && [[only, first]]);
  const byName = new Map(items.map((game) => [game.name.toLowerCase(), game]));
  const named = names.flatMap((name) => {
    const game = byName.get(name.toLowerCase());
    return game ? [[name, game] as const] : [];
  });
  const found = new Map(named);
  if (new Set(found.values()).size === items.length) return found;
  const rest = names.filter((name) => !found.has(name));
  const single = await Promise.all(rest.map((name) => gamesNamed(helix, [name], signal)));
  return new Map([...found, ...single.flatMap((one) => [...one])]);
}
