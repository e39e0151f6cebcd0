import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import { cachedByName } from '#src/http/cache.ts';
import type { Query } from '#src/http/request-parts.ts';
import type { PageOptions } from '#src/clients/operation/platform.ts';
import type { Page } from '#src/clients/paging/page.ts';
import { countGames, hasTag, hintForGame, withoutSpareSpaces } from '#src/clients/streaming/matching.ts';
import type { Game } from '#src/clients/streaming/records.ts';
import type { KickApi, Primitives } from '../client.ts';
import { CategoryRows } from '../wire.ts';
import { scanLive } from './live.ts';

const MOST_ROWS = 100;

/** Resolves names of categories to ids. */
export interface Categories {
  /** The id of a category; throws `missing` for an unknown name. */
  idOf(game: string | { readonly id: string }, signal: AbortSignal | undefined): Promise<string>;
}

/** Looks up names and caches their ids for a day. */
export function categories(api: KickApi, clock: Clock): Categories {
  const idOfName = cachedByName(clock, (name, signal) => findId(api, name, signal));

  return {
    idOf: async (game, signal) => (typeof game === 'object' ? game.id : idOfName(withoutSpareSpaces(game), signal)),
  };
}

/** One page of categories whose names match. */
export function searchCategories(api: KickApi, name: string, options: PageOptions): Promise<Page<Game>> {
  // A comma would separate two names.
  return readCategories(api, { name: name.replaceAll(',', ' ') }, options);
}

async function readCategories(api: KickApi, query: Query, options: PageOptions): Promise<Page<Game>> {
  const { rows, partialErrors, cursor, fetchedAt } = await api.list(
    '/v2/categories',
    CategoryRows,
    { ...query, limit: MOST_ROWS },
    options,
  );
  return { items: rows.map((row) => ({ ...row, fetchedAt })), partialErrors, cursor };
}

/** Finds a category by its name in any case, else by its id. */
async function findId(api: KickApi, name: string, signal: AbortSignal | undefined): Promise<string> {
  const { items: similar } = await searchCategories(api, name, { signal });
  const named = similar.find((game) => game.name.toLowerCase() === name.toLowerCase());
  if (named) return named.id;
  const { items: numbered } = /^\d{1,15}$/.test(name) ? await readCategories(api, { id: name }, { signal }) : { items: [] };
  const same = numbered.find(({ id }) => id === name);
  if (same) return same.id;
  const message = `kick has no category "${name}": ${hintForGame(similar, 'kick.com')}`;
  throw new PlatformError(message, { platform: 'kick', fault: 'missing' });
}

/** The most watched games, counted from all streams as one page. */
export function topGames(api: KickApi): Primitives['getTopGames'] {
  return async ({ tags }, { signal }) => {
    const { found, ...scan } = await scanLive(api, {}, signal);
    const wanted = hasTag(tags);
    return { items: countGames(found.filter(({ stream }) => wanted(stream))), ...scan };
  };
}
