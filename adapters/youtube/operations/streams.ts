import { PlatformError, UnsupportedParameter } from '#src/errors.ts';
import { hasTag, matchesNothing } from '#src/clients/streaming/matching.ts';
import type { PartialError } from '#src/clients/paging/page.ts';
import type { ScheduledStream, Stream } from '#src/clients/streaming/records.ts';
import { capabilities } from '../capabilities.ts';
import { type FeedEntry, MOST_ROWS, type Primitives, type YoutubeApi } from '../client.ts';
import { BroadcastRows, FoundRows, type VideoRow } from '../wire.ts';
import type { Channels } from './channels.ts';
import { feedEntries, type FeedEntriesOptions } from './feed-entries.ts';
import { ownerOf, type ReadVideo, streamerOf, videosById, videoUrl } from './videos.ts';

const MOST_LANGUAGES = 25;
/** The ids of videos that are not and will not be live. */
const MOST_SETTLED = 50_000;

/** What was read of a channel: its live and announced videos, or the failure. */
type Outcome = { readonly rows: readonly ReadVideo[] } | { readonly failure: PlatformError };

/** The live and the announced streams of channels. */
export interface Broadcasts {
  /** By channel id. The feeds cost nothing, and 50 videos of all channels cost 1 unit. */
  read(channelIds: readonly string[], signal: AbortSignal | undefined): Promise<ReadonlyMap<string, Outcome>>;
  /** Those of one channel; throws the failure. */
  of(channelId: string, signal: AbortSignal | undefined): Promise<readonly ReadVideo[]>;
}

/** Reads the feeds of channels, and asks only for videos that may be live. */
export function broadcasts(api: YoutubeApi, channels: Channels): Broadcasts {
  const settled = new Set<string>();

  function settle(id: string): void {
    const [oldest] = settled;
    if (settled.size >= MOST_SETTLED && oldest !== undefined) settled.delete(oldest);
    settled.add(id);
  }

  /** The videos in the feed of a channel that may be live, or the failure of the feed. */
  async function openIds(
    requested: Promise<readonly FeedEntry[]>,
    options: FeedEntriesOptions,
  ): Promise<readonly string[] | PlatformError> {
    try {
      return (await feedEntries(requested, options)).flatMap(({ id }) => (settled.has(id) ? [] : [id]));
    } catch (error) {
      if (error instanceof PlatformError) return error;
      throw error;
    }
  }

  const read: Broadcasts['read'] = async (channelIds, signal) => {
    const requested = channelIds.map((id) => ({ id, feed: api.feed({ channel_id: id }, signal) }));
    // After all feeds, one request asks for the channels whose feeds are missing.
    const all = Promise.allSettled(requested.map(({ feed }) => feed));
    const feeds = await Promise.all(
      requested.map(async ({ id, feed }) => {
        const hasVideos = () => all.then(() => channels.hasVideos(id, signal));
        return [id, await openIds(feed, { name: `channel ${id}`, hasVideos })] as const;
      }),
    );
    const ids = feeds.flatMap(([, open]) => (open instanceof PlatformError ? [] : open));
    const { rows: videos, partialErrors } = await videosById(api, ids, { signal, schema: BroadcastRows });
    const rows = new Map(videos.map((row) => [row.id, row]));
    for (const row of rows.values()) if (row.liveBroadcastContent === 'none') settle(row.id);
    return new Map(
      feeds.map(([channelId, open]): readonly [string, Outcome] => {
        if (open instanceof PlatformError) return [channelId, { failure: open }];
        const failure = failureOf(
          open.filter((id) => !rows.has(id)),
          partialErrors,
        );
        if (failure) return [channelId, { failure }];
        const found = open.flatMap((id) => rows.get(id) ?? []);
        return [
          channelId,
          { rows: found.filter(({ liveBroadcastContent, isPremiere }) => liveBroadcastContent !== 'none' && !isPremiere) },
        ];
      }),
    );
  };

  return {
    read,
    async of(channelId, signal) {
      const outcome = (await read([channelId], signal)).get(channelId);
      if (outcome && 'failure' in outcome) throw outcome.failure;
      return outcome?.rows ?? [];
    },
  };
}

/** The failure of a channel with absent videos, of which one is an unreadable row. A row without an id can be any of them. */
function failureOf(absent: readonly string[], unreadable: readonly PartialError[]): PlatformError | undefined {
  if (absent.length === 0) return undefined;
  const row = unreadable.find(({ values }) => values.length === 0 || values.some((id) => absent.includes(id)));
  return row && new PlatformError(row.message, { platform: 'youtube', fault: row.fault });
}

/** The live streams of channels. */
export function streams(channels: Channels, live: Broadcasts): Primitives['getStreams'] {
  return async ({ users, games, languages }, { signal }) => {
    if (matchesNothing({ users, games, languages }, MOST_LANGUAGES)) return { items: [] };
    if (games !== undefined || users === undefined) {
      const { parameters } = capabilities.getStreams;
      const detail = 'The YouTube API lists the live streams of channels only: give users.';
      throw new UnsupportedParameter({
        platform: 'youtube',
        operation: 'getStreams',
        parameter: games === undefined ? 'languages' : 'games',
        reason: 'NO_ENDPOINT',
        detail: games === undefined || !parameters ? detail : (parameters['games']?.detail ?? detail),
      });
    }
    const names = [...new Set(users)];
    const named = await Promise.all(names.map(async (name) => ({ name, id: await channels.idOf(name, signal) })));
    const namesOf = Map.groupBy(
      named.flatMap(({ name, id }) => (id === undefined ? [] : [{ name, id }])),
      ({ id }) => id,
    );
    const outcomes = await live.read([...namesOf.keys()], signal);
    const failed = [...outcomes].flatMap(([id, outcome]) => ('failure' in outcome ? [{ id, failure: outcome.failure }] : []));
    if (failed[0] && failed.length === outcomes.size) throw failed[0].failure;
    const partialErrors = failed.map(({ id, failure }): PartialError => {
      const { fault, message } = failure;
      return { fault, message, values: namesOf.get(id)?.map(({ name }) => name) ?? [] };
    });
    const rows = [...outcomes.values()].flatMap((outcome) => ('rows' in outcome ? outcome.rows : []));
    const spoken = languages?.map((language) => language.toLowerCase());
    const items = await toStreams(rows.filter(isLive), channels, signal);
    const wanted = items.filter(({ language }) => !spoken || (language !== undefined && spoken.includes(language)));
    return { items: wanted.toSorted(byViewers), partialErrors };
  };
}

/** The most watched live videos that the search finds. */
export function topStreams(api: YoutubeApi, channels: Channels): Primitives['getTopStreams'] {
  return async ({ tags }, options) => {
    const query = { part: 'snippet', type: 'video', eventType: 'live', order: 'viewCount', maxResults: MOST_ROWS };
    const { rows, cursor, partialErrors } = await api.list('/search', FoundRows, query, options);
    const read = await videosById(
      api,
      rows.map(({ id }) => id),
      { signal: options.signal, schema: BroadcastRows },
    );
    const items = await toStreams(read.rows.filter(isLive), channels, options.signal);
    return {
      items: items.filter(hasTag(tags)).toSorted(byViewers),
      cursor,
      scanned: rows.length,
      partialErrors: [...partialErrors, ...read.partialErrors],
    };
  };
}

/** The announced streams of a channel. */
export function schedule(channels: Channels, live: Broadcasts): Primitives['getSchedule'] {
  return async ({ user, days }, { signal }) => {
    const id = await channels.idOf(user, signal);
    if (id === undefined) throw new PlatformError(`youtube has no channel "${user}".`, { platform: 'youtube', fault: 'missing' });
    const rows = await live.of(id, signal);
    const items = await Promise.all(rows.map((row) => toScheduled(row, channels, signal)));
    const known = items.filter((item) => item !== undefined);
    const inDays = known.filter(({ startsAt, fetchedAt }) => startsAt.getTime() <= fetchedAt.getTime() + days * 86_400_000);
    return { items: inDays.toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime()) };
  };
}

export function isLive({ liveBroadcastContent, isPremiere }: VideoRow): boolean {
  return liveBroadcastContent === 'live' && !isPremiere;
}

/** The streams of live videos. */
export async function toStreams(
  rows: readonly ReadVideo[],
  channels: Channels,
  signal: AbortSignal | undefined,
): Promise<readonly Stream[]> {
  return Promise.all(
    rows.map(async (row): Promise<Stream> => ({
      platform: 'youtube',
      id: row.id,
      url: videoUrl(row.id),
      owner: await streamerOf(row, channels, signal),
      title: row.title,
      // A channel can hide the number.
      viewerCount: row.live?.concurrentViewers ?? 0,
      startedAt: row.live?.actualStartTime ?? row.publishedAt,
      language: row.language,
      tags: row.tags,
      // The picture changes at the same address.
      thumbnailUrl: row.thumbnails && `${row.thumbnails}${row.thumbnails.includes('?') ? '&' : '?'}t=${row.fetchedAt.getTime()}`,
      fetchedAt: row.fetchedAt,
    })),
  );
}

async function toScheduled(row: ReadVideo, channels: Channels, signal: AbortSignal | undefined): Promise<ScheduledStream | undefined> {
  const startsAt = row.live?.scheduledStartTime;
  if (row.liveBroadcastContent !== 'upcoming' || startsAt === undefined) return undefined;
  return {
    platform: 'youtube',
    id: row.id,
    url: videoUrl(row.id),
    owner: await ownerOf(row, channels, signal),
    title: row.title,
    startsAt,
    endsAt: row.live?.scheduledEndTime,
    canceled: false,
    recurring: false,
    fetchedAt: row.fetchedAt,
  };
}

function byViewers(a: Stream, b: Stream): number {
  return b.viewerCount - a.viewerCount;
}
