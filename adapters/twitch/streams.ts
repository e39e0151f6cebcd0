import { ValidationError } from '#src/errors.ts';
import type { PageOptions } from '#src/operation/platform.ts';
import type { Page } from '#src/paging/page.ts';
import type { Stream } from '#src/streaming/records.ts';
import { channelStreams } from './channel-streams.ts';
import type { GameNames } from './game-names.ts';
import { MOST_ROWS, type Helix, type Primitives } from './helix.ts';
import { toCode } from './languages.ts';
import { readStreams } from './pages.ts';
import { hasTag, scan } from './scan.ts';

const ORDERS = {
  VIEWER_COUNT_ASC: (a: Stream, b: Stream) => a.viewerCount - b.viewerCount,
  STARTED_AT: (a: Stream, b: Stream) => b.startedAt.getTime() - a.startedAt.getTime(),
};

/** The most watched streams. */
export function topStreams(helix: Helix): Primitives['getTopStreams'] {
  return ({ tags }, options) => ranked(helix, {}, { tags, ...options });
}

/** The streams of a game; in an order that Twitch does not have, all that the budget allows are one page. */
export function gameStreams(helix: Helix, names: GameNames): Primitives['getGameStreams'] {
  return async ({ game, tags, sort }, options) => {
    const query = { game_id: await names.idOf(game, options.signal) };
    if (sort === 'VIEWER_COUNT') return ranked(helix, query, { tags, ...options });

    const read = (after: string | undefined) => readStreams(helix, query, { cursor: after, signal: options.signal });
    const { items, scanned, approximate, partialErrors } = await scan({
      read,
      keep: hasTag(tags),
      requests: helix.pageRequests,
      size: Infinity,
    });
    return { items: items.toSorted(ORDERS[sort]), scanned, approximate, partialErrors };
  };
}

/** The streams of channels, games or languages; an empty list of either is nobody. */
export function streams(helix: Helix, names: GameNames): Primitives['getStreams'] {
  return async ({ users, games, languages }, { cursor, onNext, signal }) => {
    if (!users && !games && !languages) {
      throw new ValidationError('getStreams: give users, games or languages; getTopStreams lists all.', { path: '' });
    }
    if ([users, games, languages].some((list) => list?.length === 0)) return { items: [] };
    assertFew('games', games);
    assertFew('languages', languages);

    const gameIds = games && (await Promise.all(games.map((game) => names.idOf(game, signal))));
    const codes = languages?.map(toCode);
    if (!users) return readStreams(helix, { game_id: gameIds, language: codes }, { cursor, onNext, signal });

    const { items, partialErrors } = await channelStreams(helix, users, signal);
    const wanted = ({ game, language = 'other' }: Stream): boolean =>
      (!gameIds || (game !== undefined && gameIds.includes(game.id))) && (!codes || codes.includes(language));
    return { items: items.filter(wanted), scanned: items.length, partialErrors };
  };
}

/** Most watched first. Twitch cannot be asked for tags, so they are looked for. */
function ranked(
  helix: Helix,
  query: { readonly game_id?: string },
  { tags = [], cursor, onNext, signal }: PageOptions & { readonly tags: readonly string[] | undefined },
): Promise<Page<Stream>> {
  if (tags.length === 0) return readStreams(helix, query, { cursor, onNext, signal });
  const read = (after: string | undefined) => readStreams(helix, query, { cursor: after, signal });
  return scan({ read, keep: hasTag(tags), requests: helix.pageRequests, cursor });
}

function assertFew(path: string, values: readonly unknown[] = []): void {
  if (values.length <= MOST_ROWS) return;
  throw new ValidationError(`getStreams: ${path}: at most ${MOST_ROWS} in one call.`, { path });
}
