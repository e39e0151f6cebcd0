import { ValidationError } from '#src/errors.ts';
import type { Stream } from '#src/streaming/records.ts';
import type { KickApi, Primitives } from './api.ts';
import type { Categories } from './categories.ts';
import type { ChannelStreams } from './channel-streams.ts';
import { hasTag, pageOf, scanLive } from './live.ts';

/** The most values of a filter. */
const MOST_VALUES = 25;

/** The most watched streams: all are read, and put in order. */
export function topStreams(api: KickApi): Primitives['getTopStreams'] {
  return async ({ tags }, { signal }) => pageOf(await scanLive(api, {}, signal), hasTag(tags), 'VIEWER_COUNT');
}

/** The streams of a game. */
export function gameStreams(api: KickApi, categories: Categories): Primitives['getGameStreams'] {
  return async ({ game, tags, sort }, { signal }) => {
    const query = { category_id: await categories.idOf(game, signal) };
    return pageOf(await scanLive(api, query, signal), hasTag(tags), sort);
  };
}

/** The streams of channels, games or languages; an empty list of either is nobody. */
export function streams(api: KickApi, categories: Categories, channels: ChannelStreams): Primitives['getStreams'] {
  return async ({ users, games, languages }, { signal }) => {
    if (!users && !games && !languages) {
      throw new ValidationError('getStreams: give users, games or languages; getTopStreams lists all.', { path: '' });
    }
    if ([users, games, languages].some((list) => list?.length === 0)) return { items: [] };
    assertFew('games', games);
    assertFew('languages', languages);
    const codes = languages?.map(toCode);
    const gameIds = games && (await Promise.all(games.map((game) => categories.idOf(game, signal))));
    if (!users) return pageOf(await scanLive(api, { category_id: gameIds, language_code: codes }, signal), () => true, 'VIEWER_COUNT');

    const { items, partialErrors } = await channels.read(users, signal);
    const spoken = codes?.map((code) => code.toLowerCase());
    const wanted = ({ game, language = '' }: Stream): boolean =>
      (!gameIds || (game !== undefined && gameIds.includes(game.id))) && (!spoken || spoken.includes(language));
    return { items: items.filter(wanted), scanned: items.length, partialErrors };
  };
}

function assertFew(path: string, values: readonly unknown[] = []): void {
  if (values.length <= MOST_VALUES) return;
  throw new ValidationError(`getStreams: ${path}: at most ${MOST_VALUES} in one call.`, { path });
}

/** A language as Kick has it: `zh-HK` for `zh_hk`. */
function toCode(language: string): string {
  try {
    return Intl.getCanonicalLocales(language.replaceAll('_', '-'))[0] ?? language;
  } catch (cause) {
    throw new ValidationError(`getStreams: languages: "${language}" is no language code; write it as en or zh-HK.`, {
      path: 'languages',
      cause,
    });
  }
}
