import type { Clock } from '#src/clock.ts';
import type { Stream } from '#src/clients/streaming/records.ts';
import { batched } from '#src/http/batched.ts';
import { batchesOf } from '#src/http/batches.ts';
import { cachedByName } from '#src/http/cache.ts';
import { type Helix, MOST_ROWS } from '../client.ts';
import { readGames } from '../pages.ts';
import { usersById } from './users.ts';

/** Streams are not late because of their pictures. */
const WITHIN_MS = 2_000;

type Pictures<T> = { readonly [K in keyof T]?: string | undefined };
type OfChannel = Pictures<Pick<Stream['owner'], 'avatarUrl' | 'bannerUrl'>>;
type OfGame = Pictures<Pick<NonNullable<Stream['game']>, 'boxArtUrl'>>;

/**
 * Adds the pictures of channels and games to streams. They are cached for a day, and read in requests of 100. Pictures that cannot be read
 * are absent.
 */
export function addPictures(
  helix: Helix,
  clock: Clock,
): (streams: readonly Stream[], signal: AbortSignal | undefined) => Promise<readonly Stream[]> {
  const ofChannel = cached<OfChannel>(clock, async (ids, signal) => {
    const { users } = await usersById(helix, ids, signal);
    return new Map([...users].map(([id, { avatarUrl, bannerUrl }]) => [id, { avatarUrl, bannerUrl }]));
  });
  const ofGame = cached<OfGame>(clock, async (ids, signal) => {
    const { items } = await readGames(helix, '/games', { id: ids }, { signal });
    return new Map(items.map(({ id, boxArtUrl }) => [id, { boxArtUrl }]));
  });

  async function read(streams: readonly Stream[], signal: AbortSignal): Promise<readonly Stream[]> {
    return Promise.all(
      streams.map(async (stream) => {
        const { owner, game } = stream;
        const [channel, cover] = await Promise.all([ofChannel(owner.id, signal), game && ofGame(game.id, signal)]);
        return { ...stream, owner: { ...owner, ...channel }, game: game && { ...game, ...cover } };
      }),
    );
  }

  /** Each look-up listens to its signal, and Node compares a new listener with all others of a signal. */
  async function readInParts(streams: readonly Stream[], signal: AbortSignal): Promise<readonly Stream[]> {
    const parts = batchesOf(streams, MOST_ROWS).map((some) => read(some, AbortSignal.any([signal])));
    return (await Promise.all(parts)).flat();
  }

  return async (streams, signal) => {
    if (streams.length === 0) return streams;
    const late = new AbortController();
    const over = new AbortController();
    clock.sleep(WITHIN_MS, over.signal).then(
      () => late.abort(),
      () => undefined,
    );
    try {
      return await readInParts(streams, AbortSignal.any(signal ? [signal, late.signal] : [late.signal]));
    } finally {
      over.abort();
      signal?.throwIfAborted();
    }
  };
}

/** The pictures of one id; none if they cannot be read. */
function cached<T extends object>(
  clock: Clock,
  load: (ids: readonly string[], signal: AbortSignal) => Promise<ReadonlyMap<string, T>>,
): (id: string, signal: AbortSignal) => Promise<T | undefined> {
  const read = batched<T>({ most: MOST_ROWS, load });
  const find = cachedByName<T | Record<string, never>>(clock, async (id, signal) => (await read(id, signal)) ?? {});
  return async (id, signal) => {
    try {
      return (find.known(id) ?? (await find(id, signal))) as T; // an id without a record has no pictures
    } catch {
      return undefined;
    }
  };
}
