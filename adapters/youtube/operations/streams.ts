import { PlatformError, UnsupportedParameter } from '#src/errors.ts';
import { hasTag, matchesNothing } from '#src/clients/streaming/matching.ts';
import type { PartialError } from '#src/clients/paging/page.ts';
import type { ScheduledStream, Stream } from '#src/clients/streaming/records.ts';
import { capabilities } from '../capabilities.ts';
import type { AwaitedVideos } from '../awaited-videos.ts';
import { MOST_ROWS, type Primitives, type YoutubeApi } from '../client.ts';
import { BroadcastRows, FoundRows, type VideoRow } from '../wire.ts';
import type { Channels } from './channels.ts';
import { incompleteLists, type VideoLists } from './video-lists.ts';
import { ownerOf, type ReadVideo, streamerOf, videosById, videoUrl } from './videos.ts';

const MOST_LANGUAGES = 25;
/** The ids of videos that are not and will not be live. */
const MOST_SETTLED = 50_000;
const DAY_MS = 86_400_000;
/** A waiting room stays open until its stream starts. A streamer who is later than this usually announces another start, or has forgotten it. */
const LATEST_START_MS = 6 * 3_600_000;

/** What was read of a channel: its live and announced videos, or the failure. An incomplete list may lack new ones. */
type Outcome = { readonly rows: readonly ReadVideo[]; readonly isComplete: boolean } | { readonly failure: PlatformError };

/** The videos of a channel that may be live. */
interface OpenVideos {
  readonly ids: readonly string[];
  readonly isComplete: boolean;
}

/** The live and the announced streams of channels. */
export interface Broadcasts {
  /** By channel id. The feeds cost nothing, and 50 videos of all channels cost 1 unit. */
  read(channelIds: readonly string[], signal: AbortSignal | undefined): Promise<ReadonlyMap<string, Outcome>>;
  /** Those of one channel; throws the failure. */
  of(channelId: string, signal: AbortSignal | undefined): Promise<{ readonly rows: readonly ReadVideo[]; readonly isComplete: boolean }>;
}

/** Reads the last videos of channels, and asks only for those that may be live. */
export function broadcasts(api: YoutubeApi, lists: VideoLists, awaiting: AwaitedVideos): Broadcasts {
  const settled = new Set<string>();

  function settle(id: string): void {
    const [oldest] = settled;
    if (settled.size >= MOST_SETTLED && oldest !== undefined) settled.delete(oldest);
    settled.add(id);
  }

  /** The videos of a channel that may be live, or the failure of the list. */
  async function openVideos(
    channelId: string,
    awaited: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<OpenVideos | PlatformError> {
    try {
      const { ids, isComplete } = await lists.read(channelId, signal);
      const open = new Set([...ids, ...awaited]);
      return { ids: [...open].filter((id) => !settled.has(id)), isComplete };
    } catch (error) {
      if (error instanceof PlatformError) return error;
      throw error;
    }
  }

  const read: Broadcasts['read'] = async (channelIds, signal) => {
    const known = await awaiting.all();
    const channels = await Promise.all(channelIds.map(async (id) => [id, await openVideos(id, known.get(id) ?? [], signal)] as const));
    const ids = channels.flatMap(([, open]) => (open instanceof PlatformError ? [] : open.ids));
    const { rows: videos, partialErrors } = await videosById(api, ids, { signal, schema: BroadcastRows });
    const rows = new Map(videos.map((row) => [row.id, row]));
    for (const row of rows.values()) if (row.liveBroadcastContent === 'none') settle(row.id);
    const outcomes = new Map(
      channels.map(([channelId, open]): readonly [string, Outcome] => {
        if (open instanceof PlatformError) return [channelId, { failure: open }];
        const failure = failureOf(
          open.ids.filter((id) => !rows.has(id)),
          partialErrors,
        );
        if (failure) return [channelId, { failure }];
        const found = open.ids.flatMap((id) => rows.get(id) ?? []);
        const awaited = found.filter(({ liveBroadcastContent, isPremiere }) => liveBroadcastContent !== 'none' && !isPremiere);
        return [channelId, { rows: awaited, isComplete: open.isComplete }];
      }),
    );
    for (const [channelId, outcome] of outcomes) {
      if ('failure' in outcome) continue;
      // The live videos come first, because a forgotten one ends its stream.
      const ids = outcome.rows.toSorted((a, b) => Number(isLive(b)) - Number(isLive(a))).map(({ id }) => id);
      await awaiting.replace(channelId, known.get(channelId) ?? [], ids);
    }
    return outcomes;
  };

  return {
    read,
    async of(channelId, signal) {
      const outcome = (await read([channelId], signal)).get(channelId);
      if (outcome && 'failure' in outcome) throw outcome.failure;
      return outcome ?? { rows: [], isComplete: true };
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
    const readable = [...outcomes.values()].flatMap((outcome) => ('rows' in outcome ? [outcome] : []));
    const rows = readable.flatMap((outcome) => outcome.rows);
    const items = await toStreams(rows.filter(isLive), channels, signal);
    const wanted = items.filter(isIn(languages));
    return { items: wanted.toSorted(byViewers), partialErrors: [...partialErrors, ...incompleteLists(readable)] };
  };
}

/** Whether a stream is in one of the languages. Channels often state a region too, for example `en-gb`. */
function isIn(languages: readonly string[] | undefined): (stream: Stream) => boolean {
  const wanted = languages?.map((language) => language.toLowerCase().replaceAll('_', '-'));
  return ({ language }) => !wanted || wanted.some((one) => language === one || language?.startsWith(`${one}-`));
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
    const read = await live.of(id, signal);
    const items = await Promise.all(read.rows.map((row) => toScheduled(row, channels, signal)));
    const known = items.filter((item) => item !== undefined);
    const next = known.filter(({ startsAt, fetchedAt }) => {
      const aheadMs = startsAt.getTime() - fetchedAt.getTime();
      return aheadMs >= -LATEST_START_MS && aheadMs <= days * DAY_MS;
    });
    return { items: next.toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime()), partialErrors: incompleteLists([read]) };
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
