import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import { remembered } from '#src/http/remembered.ts';
import type { Page, PartialError } from '#src/paging/page.ts';
import type { Stream } from '#src/streaming/records.ts';
import type { KickApi } from './api.ts';
import { batchesOf, channelBySlug, channelsById, isId, toSlug, usersById, type Channel } from './channels.ts';
import { toLive, toStream } from './wire.ts';

/** What a request gave, or whom it leaves out. */
interface Outcome<T> {
  readonly found: readonly T[];
  readonly error?: PlatformError;
  /** The channels as they were named to us. */
  readonly names: readonly string[];
}

/** Those of named channels that are live. */
export interface ChannelStreams {
  /** Most watched first; a request that fails beside others says whom it leaves out. */
  read(users: readonly string[], signal: AbortSignal | undefined): Promise<Page<Stream>>;
}

/** Asks for channels by id; which id a slug means is asked for one by one, and kept for a day. */
export function channelStreams(api: KickApi, clock: Clock): ChannelStreams {
  const idOfSlug = remembered(clock, async (slug, signal) => {
    const channel = await channelBySlug(api, slug, signal);
    if (channel) return channel.userId;
    throw new PlatformError(`kick has no channel "${slug}".`, { platform: 'kick', fault: 'missing' });
  });

  async function idOf(name: string, signal: AbortSignal | undefined): Promise<readonly string[]> {
    if (isId(name)) return [name];
    const slug = toSlug(name);
    if (slug === undefined) return [];
    try {
      return [await idOfSlug(slug, signal)];
    } catch (error) {
      if (error instanceof PlatformError && error.fault === 'missing') return [];
      throw error;
    }
  }

  return {
    async read(users, signal) {
      const names = [...new Set(users)];
      const known = await Promise.all(
        names.map((name) => attempt([name], async () => (await idOf(name, signal)).map((id) => ({ id, name })))),
      );
      const namesOf = Map.groupBy(
        known.flatMap(({ found }) => found),
        ({ id }) => id,
      );
      const unreadable: PartialError[] = [];
      const read = await Promise.all(
        batchesOf([...namesOf.keys()]).map((ids) => {
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

  /** The streams of those that are live: a channel does not tell its owner's name. */
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
    const nameOf = new Map(users.map(({ id, name }) => [id, name]));
    return live.flatMap(({ userId: id, slug, live: broadcast, fetchedAt }) =>
      broadcast ? [toStream(toLive({ id, slug, name: nameOf.get(id) ?? slug }, broadcast), fetchedAt)] : [],
    );
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
