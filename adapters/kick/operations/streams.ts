import { PlatformError, ValidationError } from '#src/errors.ts';
import type { Page, PartialError } from '#src/clients/paging/page.ts';
import { hasTag, matchesNothing } from '#src/clients/streaming/matching.ts';
import type { Stream } from '#src/clients/streaming/records.ts';
import { batchesOf } from '#src/http/batches.ts';
import type { KickApi, Primitives } from '../client.ts';
import { toLive, toStream } from '../wire.ts';
import { type Channel, type ChannelNames, channelsById, MOST_IDS, usersById } from './channels.ts';
import type { Categories } from './games.ts';
import { pageOf, scanLive } from './live.ts';

/** The most values of a filter. */
const MOST_VALUES = 25;

/** The most watched streams, sorted from all streams. */
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

/** The streams of channels, games or languages. An empty list matches nothing. */
export function streams(api: KickApi, categories: Categories, channels: ChannelStreams): Primitives['getStreams'] {
  return async ({ users, games, languages }, { signal }) => {
    if (matchesNothing({ users, games, languages }, MOST_VALUES)) return { items: [] };
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

/** The language code of Kick: `zh-HK` for `zh_hk`. */
function toCode(language: string): string {
  try {
    return Intl.getCanonicalLocales(language.replaceAll('_', '-'))[0] ?? language;
  } catch (cause) {
    throw new ValidationError(`getStreams: languages: "${language}" is not a language code: use a code such as en or zh-HK.`, {
      path: 'languages',
      cause,
    });
  }
}

/** The result of a request, or its error. */
interface Outcome<T> {
  readonly found: readonly T[];
  readonly error?: PlatformError;
  /** The channels of the request, as the caller named them. */
  readonly names: readonly string[];
}

/** The live streams of named channels. */
interface ChannelStreams {
  /** Most watched first. If some requests fail, the errors name their channels. */
  read(users: readonly string[], signal: AbortSignal | undefined): Promise<Page<Stream>>;
}

/** Reads channels by id. */
export function channelStreams(api: KickApi, channels: ChannelNames): ChannelStreams {
  return {
    async read(users, signal) {
      const names = [...new Set(users)];
      const known = await Promise.all(
        names.map((name) =>
          attempt([name], async () => {
            const id = await channels.idOf(name, signal);
            return id === undefined ? [] : [{ id, name }];
          }),
        ),
      );
      const namesOf = Map.groupBy(
        known.flatMap(({ found }) => found),
        ({ id }) => id,
      );
      const unreadable: PartialError[] = [];
      const read = await Promise.all(
        batchesOf([...namesOf.keys()], MOST_IDS).map((ids) => {
          const asked = ids.flatMap((id) => namesOf.get(id)?.map(({ name }) => name) ?? []);
          return attempt(asked, async () => {
            const { items, partialErrors = [] } = await channelsById(api, ids, signal);
            const lost = partialErrors.map((part) => {
              const names = part.values.flatMap((value) => namesOf.get(value)?.map(({ name }) => name) ?? []);
              return { ...part, values: names.length > 0 ? names : asked };
            });
            unreadable.push(...lost);
            return withNames(items, signal);
          });
        }),
      );

      const failed = [...known, ...read].filter(({ error }) => error !== undefined);
      if (failed[0]?.error && read.every(({ error }) => error !== undefined)) throw failed[0].error;
      const items = read.flatMap(({ found }) => found);
      const partialErrors = [...failed.flatMap(toPartialError), ...unreadable];
      return { items: items.toSorted((a, b) => b.viewerCount - a.viewerCount), partialErrors };
    },
  };

  /** The streams of live channels, with the names and pictures of their owners, which channels do not contain. */
  async function withNames(channels: readonly Channel[], signal: AbortSignal | undefined): Promise<readonly Stream[]> {
    const live = channels.filter((channel) => channel.live !== undefined);
    const users =
      live.length === 0
        ? []
        : await usersById(
            api,
            live.map(({ userId }) => userId),
            signal,
          );
    const userOf = new Map(users.map((row) => [row.id, row]));
    return live.flatMap(({ userId: id, slug, bannerUrl, live: broadcast, fetchedAt }) => {
      const { name = slug, avatarUrl } = userOf.get(id) ?? {};
      return broadcast ? [toStream(toLive({ id, slug, name, avatarUrl, bannerUrl }, broadcast), fetchedAt)] : [];
    });
  }
}

async function attempt<T>(names: readonly string[], work: () => Promise<readonly T[]>): Promise<Outcome<T>> {
  try {
    return { found: await work(), names };
  } catch (error) {
    if (error instanceof PlatformError) return { found: [], error, names };
    throw error;
  }
}

function toPartialError({ error, names }: Outcome<unknown>): readonly PartialError[] {
  return error ? [{ fault: error.fault, message: error.message, values: names }] : [];
}
