import { UnsupportedParameter } from '#src/errors.ts';
import type { PageOptions } from '#src/clients/operation/platform.ts';
import type { Page } from '#src/clients/paging/page.ts';
import type { Stream, User, Video } from '#src/clients/streaming/records.ts';
import { isFault } from '#src/http/errors.ts';
import { noClipSearch } from '../capabilities.ts';
import { type Helix, MOST_ROWS, type Primitives } from '../client.ts';
import { readGames, readStreams } from '../pages.ts';
import { ChannelRows } from '../wire/user.ts';
import type { GameNames } from './games.ts';
import { usersById } from './users.ts';
import { videosOfGame } from './videos.ts';

const FILTER = { platform: 'twitch', operation: 'search', parameter: 'filter' } as const;

/** Search by filter. */
export function search(helix: Helix, names: GameNames): Primitives['search'] {
  return async ({ keyword, filter }, options) => {
    switch (filter) {
      case 'SearchStreams':
        return searchStreams(helix, keyword, options);
      case 'SearchChannels':
        return searchChannels(helix, keyword, options);
      case 'SearchGames':
        return readGames(helix, '/search/categories', { query: keyword, first: MOST_ROWS }, options);
      case 'SearchVideos':
        return searchVideos(helix, names, keyword, options);
      case 'SearchClips':
        throw new UnsupportedParameter({ ...FILTER, value: filter, ...noClipSearch });
    }
  };
}

/** Streams whose channel or game begins with the keyword. The search returns no viewer counts, so the streams are also read. */
async function searchStreams(helix: Helix, keyword: string, options: PageOptions): Promise<Page<Stream>> {
  const { rows, partialErrors, cursor } = await findChannels(helix, keyword, true, options);
  if (rows.length === 0) return { items: [], partialErrors, cursor };
  const { items, partialErrors: parts = [] } = await readStreams(helix, { user_id: rows.map(({ id }) => id) }, { signal: options.signal });
  const byOwner = new Map(items.map((stream) => [stream.owner.id, stream]));
  return {
    items: rows.flatMap(({ id }) => byOwner.get(id) ?? []),
    scanned: rows.length,
    partialErrors: [...partialErrors, ...parts],
    cursor,
  };
}

/** Channels whose name begins with the keyword. */
async function searchChannels(helix: Helix, keyword: string, options: PageOptions): Promise<Page<User>> {
  const { rows, partialErrors, cursor } = await findChannels(helix, keyword, false, options);
  const ids = rows.map(({ id }) => id);
  const { users, partialErrors: parts } = await usersById(helix, ids, options.signal);
  const items = rows.flatMap(({ id, isLive }) => {
    const found = users.get(id);
    return found ? [{ ...found, isLive }] : [];
  });
  return { items, scanned: rows.length, partialErrors: [...partialErrors, ...parts], cursor };
}

/** The most viewed videos of the game that the keyword names. */
async function searchVideos(helix: Helix, names: GameNames, keyword: string, options: PageOptions): Promise<Page<Video>> {
  const gameId = await names.idOf(keyword, options.signal).catch((error: unknown) => {
    if (!isFault(error, 'missing')) throw error;
    throw new UnsupportedParameter({
      ...FILTER,
      value: 'SearchVideos',
      reason: 'NO_ENDPOINT',
      detail: `On Twitch, the keyword must be the name of a game, and there is no game "${keyword}".`,
      alternatives: ['getUserVideos', 'getGameVideos'],
    });
  });
  return videosOfGame(helix, { gameId, sort: 'VIEWS' }, options);
}

function findChannels(helix: Helix, query: string, liveOnly: boolean, options: PageOptions) {
  return helix.list('/search/channels', ChannelRows, { query, live_only: liveOnly, first: MOST_ROWS }, options);
}
