import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import type { PageOptions } from '#src/clients/operation/platform.ts';
import type { Page, PartialError } from '#src/clients/paging/page.ts';
import { hasTag, matchesNothing } from '#src/clients/streaming/matching.ts';
import type { Stream } from '#src/clients/streaming/records.ts';
import { inHalves } from '#src/http/batched.ts';
import { batchesOf } from '#src/http/batches.ts';
import { type Helix, MOST_ROWS, type Primitives } from '../client.ts';
import { readStreams, scan, toCode } from '../pages.ts';
import type { GameNames } from './games.ts';
import { addPictures } from './pictures.ts';
import type { ShownStreams } from '../shown-streams.ts';
import { isId, toLogin } from './users.ts';

/** The channels of one request. */
interface Batch {
  readonly parameter: 'user_id' | 'user_login';
  readonly values: readonly string[];
}

interface Outcome {
  readonly streams: readonly Stream[];
  readonly partialErrors: readonly PartialError[];
  readonly error?: PlatformError;
}

interface Sources {
  readonly helix: Helix;
  readonly shown: ShownStreams;
}

/** The streams of live channels, most watched first. If some requests fail, the errors name their channels. */
type ChannelStreams = (users: readonly string[], signal: AbortSignal | undefined) => Promise<Page<Stream>>;

/**
 * Creates the reads of channels.
 *
 * Twitch refuses a whole request because of some logins that no channel has: https://github.com/twitchdev/issues/issues/700. Such a login is asked for
 * alone from then on.
 */
function channelStreams({ helix, shown }: Sources): ChannelStreams {
  const refused = new Set<string>();

  async function read({ parameter, values }: Batch, callers: Callers, signal: AbortSignal | undefined): Promise<readonly Outcome[]> {
    const parts = await inHalves(values, (some) => readStreams(helix, { [parameter]: some }, { signal }));
    // If Twitch refuses each part, the reason is no single login.
    const acceptsSome = parts.some((part) => 'found' in part);
    return parts.map((part): Outcome => {
      const names = part.names.flatMap((value) => callers.get(value) ?? []);
      if ('error' in part) {
        const { error } = part;
        if (!(error instanceof PlatformError)) throw error;
        if (acceptsSome && part.names.length === 1 && error.fault === 'rejected') part.names.forEach((value) => refused.add(value));
        return { streams: [], partialErrors: [{ fault: error.fault, message: error.message, values: names }], error };
      }
      for (const value of part.names) refused.delete(value);
      const { items, partialErrors = [] } = part.found;
      if (partialErrors.length === 0) shown.show(part.names, items);
      return { streams: items, partialErrors: partialErrors.map((one) => ({ ...one, values: namesOf(one.values, names) })) };
    });
  }

  return async (users, signal) => {
    const callers = Map.groupBy(users, (name) => (isId(name) ? name : toLogin(name)));
    const outcomes = (await Promise.all(toBatches(callers, refused).map((batch) => read(batch, callers, signal)))).flat();
    if (outcomes[0]?.error && outcomes.every(({ error }) => error !== undefined)) throw outcomes[0].error;
    const partialErrors = outcomes.flatMap((outcome) => outcome.partialErrors);
    const byId = new Map(outcomes.flatMap(({ streams }) => streams).map((stream) => [stream.id, stream]));
    return { items: [...byId.values()].toSorted((a, b) => b.viewerCount - a.viewerCount), partialErrors };
  };
}

/** The names that the caller uses, by id or login. Invalid names have neither. */
type Callers = ReadonlyMap<string | undefined, readonly string[]>;

/** Groups the channels into as few requests as possible, without invalid names. */
function toBatches(callers: Callers, refused: ReadonlySet<string>): readonly Batch[] {
  const values = [...callers.keys()].filter((value) => value !== undefined);
  const apart = values.filter((value) => refused.has(value)).map((value) => [value]);
  const together = values.filter((value) => !refused.has(value));
  const ids = batchesOf(together.filter(isId), MOST_ROWS);
  const logins = batchesOf(
    together.filter((value) => !isId(value)),
    MOST_ROWS,
  );
  return [...apart, ...ids, ...logins].map((some) => ({ parameter: some.every(isId) ? 'user_id' : 'user_login', values: some }));
}

/** The channels that an unreadable row may be about; every channel of the request if the row names none. */
function namesOf(values: readonly string[], names: readonly string[]): readonly string[] {
  const asked = names.filter((name) => values.includes(name) || values.includes(toLogin(name) ?? name));
  return asked.length > 0 ? asked : names;
}

const ORDERS = {
  VIEWER_COUNT_ASC: (a: Stream, b: Stream) => a.viewerCount - b.viewerCount,
  STARTED_AT: (a: Stream, b: Stream) => b.startedAt.getTime() - a.startedAt.getTime(),
};

/** The most watched streams. */
export function topStreams(helix: Helix): Primitives['getTopStreams'] {
  return ({ tags }, options) => ranked(helix, {}, { tags, ...options });
}

/** The streams of a game. In an order that Twitch lacks, one page contains all streams within the budget. */
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

/** The streams of channels, games or languages. An empty list matches nothing. */
export function streams({ helix, shown }: Sources, names: GameNames, clock: Clock): Primitives['getStreams'] {
  const withPictures = addPictures(helix, clock);
  const ofChannels = channelStreams({ helix, shown });

  return async ({ users, games, languages }, { cursor, onNext, signal }) => {
    if (matchesNothing({ users, games, languages }, MOST_ROWS)) return { items: [] };
    const gameIds = games && (await Promise.all(games.map((game) => names.idOf(game, signal))));
    const codes = languages?.map(toCode);
    if (!users) return readStreams(helix, { game_id: gameIds, language: codes }, { cursor, onNext, signal });

    const { items, partialErrors } = await ofChannels(users, signal);
    const wanted = ({ game, language = 'other' }: Stream): boolean =>
      (!gameIds || (game !== undefined && gameIds.includes(game.id))) && (!codes || codes.includes(language));
    return { items: await withPictures(items.filter(wanted), signal), scanned: items.length, partialErrors };
  };
}

/** Streams, most watched first. Twitch has no filter for tags, so Fanfare filters them. */
function ranked(
  helix: Helix,
  query: { readonly game_id?: string },
  { tags = [], cursor, onNext, signal }: PageOptions & { readonly tags: readonly string[] | undefined },
): Promise<Page<Stream>> {
  if (tags.length === 0) return readStreams(helix, query, { cursor, onNext, signal });
  const read = (after: string | undefined) => readStreams(helix, query, { cursor: after, signal });
  return scan({ read, keep: hasTag(tags), requests: helix.pageRequests, cursor });
}
