import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import { cachedByName } from '#src/http/cache.ts';
import type { Query } from '#src/http/request-parts.ts';
import type { PageOptions } from '#src/operation/platform.ts';
import type { Page } from '#src/paging/page.ts';
import type { Game } from '#src/streaming/records.ts';
import type { KickApi, Primitives } from '../client.ts';
import { CategoryRows } from '../wire.ts';
import { hasTag, type LiveScan, scanLive } from './live.ts';

const MOST_ROWS = 100;
const MOST_SUGGESTIONS = 3;

/** Resolves names of categories to ids. */
export interface Categories {
  /** The id of a category; throws `missing` for an unknown name. */
  idOf(game: string | { readonly id: string }, signal: AbortSignal | undefined): Promise<string>;
}

/** Looks up names and caches their ids for a day. */
export function categories(api: KickApi, clock: Clock): Categories {
  const idOfName = cachedByName(clock, (name, signal) => findId(api, name, signal));

  return {
    idOf: async (game, signal) => (typeof game === 'object' ? game.id : idOfName(game, signal)),
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

  const names = similar.slice(0, MOST_SUGGESTIONS).map((game) => `"${game.name}"`);
  const hint = names.length > 0 ? `did you mean ${names.join(' or ')}?` : 'write its name as it stands on kick.com.';
  throw new PlatformError(`kick has no category called "${name}": ${hint}`, { platform: 'kick', fault: 'missing' });
}

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
