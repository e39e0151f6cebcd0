import type { Query } from '#src/http/request-parts.ts';
import type { PageOptions } from '#src/clients/operation/platform.ts';
import type { Page } from '#src/clients/paging/page.ts';
import type { Language, VideoSort } from '#src/clients/streaming/enumerations.ts';
import type { Video } from '#src/clients/streaming/records.ts';
import type { Helix, Primitives } from '../client.ts';
import { readVideos, toCode } from '../pages.ts';
import type { GameNames } from './games.ts';
import { merge, type Ranked } from './merge.ts';
import type { UserNames } from './users.ts';

const SORTS = { TIME: 'time', VIEWS: 'views', VIEWER_COUNT: 'views', TRENDING: 'trending' } as const;

const ORDERS = {
  time: (a: Ranked<Video>, b: Ranked<Video>) => b.item.createdAt.getTime() - a.item.createdAt.getTime(),
  views: (a: Ranked<Video>, b: Ranked<Video>) => b.item.viewCount - a.item.viewCount,
  // Twitch does not document how it ranks trending videos, so equal ranks of two languages alternate.
  trending: (a: Ranked<Video>, b: Ranked<Video>) => a.rank - b.rank,
};

/** One page of videos in the order of the query. A simulated server may not sort them. */
async function readSorted(helix: Helix, query: Query & { readonly sort: keyof typeof ORDERS }, options: PageOptions): Promise<Page<Video>> {
  const page = await readVideos(helix, query, options);
  const ranked = page.items.map((item, rank) => ({ item, rank })).toSorted(ORDERS[query.sort]);
  return { ...page, items: ranked.map(({ item }) => item) };
}

/** The videos of a user. */
export function userVideos(helix: Helix, names: UserNames): Primitives['getUserVideos'] {
  return async ({ user, sort }, options) =>
    readSorted(helix, { user_id: await names.idOf(user, options.signal), sort: SORTS[sort] }, options);
}

/** The videos of a game. Twitch accepts one language per request. */
export function gameVideos(helix: Helix, names: GameNames): Primitives['getGameVideos'] {
  return async ({ game, sort, languages }, options) => {
    if (languages?.length === 0) return { items: [] };
    return videosOfGame(helix, { gameId: await names.idOf(game, options.signal), sort, languages }, options);
  };
}

interface GameVideosQuery {
  readonly gameId: string;
  readonly sort: VideoSort;
  readonly languages?: readonly Language[] | undefined;
}

/** A page of the videos of a game by its id. */
export async function videosOfGame(helix: Helix, { gameId, sort, languages }: GameVideosQuery, options: PageOptions): Promise<Page<Video>> {
  const query = { game_id: gameId, sort: SORTS[sort] };
  const codes = [...new Set(languages?.map(toCode))];
  if (codes.length <= 1) return readSorted(helix, { ...query, language: codes }, options);

  const { cursor, signal } = options;
  const read = (language: string, after: string | undefined) => readSorted(helix, { ...query, language }, { cursor: after, signal });
  const page = await merge({ keys: codes, read, order: ORDERS[query.sort], cursor });
  return { ...page, approximate: query.sort === 'trending' };
}
