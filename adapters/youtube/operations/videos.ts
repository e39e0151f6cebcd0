import { PlatformError } from '#src/errors.ts';
import { batchesOf } from '#src/http/batches.ts';
import type { ReadRows } from '#src/http/lenient.ts';
import type { PageOptions } from '#src/clients/operation/platform.ts';
import type { Page, PartialError } from '#src/clients/paging/page.ts';
import type { Person } from '#src/clients/operation/record.ts';
import type { Stream, Video } from '#src/clients/streaming/records.ts';
import { MOST_ROWS, type Primitives, type YoutubeApi } from '../client.ts';
import { FoundRows, PlaylistRows, type VideoRow, VideoRows } from '../wire.ts';
import { type Channels, channelUrl } from './channels.ts';
import { incompleteLists, type VideoLists } from './video-lists.ts';

/** The parts of a video that records use. Parts cost nothing more. */
const PARTS = 'snippet,contentDetails,statistics,liveStreamingDetails';
/** The cursor behind the feed. */
const LIST = 'list';

/** A video at the time of the response. */
export type ReadVideo = VideoRow & { readonly fetchedAt: Date };

/** Videos by id, in the order of the ids; 1 unit for 50. */
export async function videosById(
  api: YoutubeApi,
  ids: readonly string[],
  { signal, schema = VideoRows }: { readonly signal: AbortSignal | undefined; readonly schema?: typeof VideoRows },
): Promise<ReadRows<ReadVideo>> {
  const read = await Promise.all(
    batchesOf([...new Set(ids)], MOST_ROWS).map((some) =>
      api.list('/videos', schema, { part: PARTS, id: some.join(','), maxResults: MOST_ROWS }, { signal }),
    ),
  );
  const byId = new Map(read.flatMap(({ rows, fetchedAt }) => rows.map((row) => [row.id, { ...row, fetchedAt }] as const)));
  return { rows: ids.flatMap((id) => byId.get(id) ?? []), partialErrors: read.flatMap(({ partialErrors }) => partialErrors) };
}

/** The ids of a page. */
interface PageOfIds {
  readonly ids: readonly string[];
  /** The videos that are no streams. A premiere among them has the times of a broadcast. */
  readonly uploads: ReadonlySet<string>;
  readonly cursor: string | undefined;
  readonly partialErrors: readonly PartialError[];
}

/** The uploads and the recordings of a channel. */
export function userVideos(api: YoutubeApi, channels: Channels, lists: VideoLists): Primitives['getUserVideos'] {
  async function idsOf(channelId: string, sort: string, options: PageOptions): Promise<PageOfIds> {
    const { cursor, signal } = options;
    if (sort !== 'TIME') {
      const query = { part: 'snippet', channelId, type: 'video', order: 'viewCount', maxResults: MOST_ROWS };
      const found = await api.list('/search', FoundRows, query, options);
      return { ids: found.rows.map(({ id }) => id), uploads: new Set(), cursor: found.cursor, partialErrors: found.partialErrors };
    }
    const [videos, recordings] = playlistsOf(channelId);
    if (cursor === undefined) {
      const [uploads, streams] = await Promise.all([lists.read(videos, signal), lists.read(recordings, signal)]);
      if (uploads.isMissing && streams.isMissing) return allIdsOf(channelId, signal);
      const next = uploads.isMissing ? undefined : LIST;
      // A missing playlist that had videos is an outage of YouTube.
      const partialErrors = incompleteLists(
        [uploads, streams].map((list) => (list.isMissing ? { isComplete: list.ids.length === 0 } : list)),
      );
      return { ids: [...uploads.ids, ...streams.ids], uploads: new Set(uploads.ids), cursor: next, partialErrors };
    }
    const query = { part: 'contentDetails', playlistId: videos, maxResults: MOST_ROWS };
    const read = await api.list('/playlistItems', PlaylistRows, query, { cursor: cursor === LIST ? undefined : cursor, signal });
    const ids = read.rows.map(({ id }) => id);
    return { ids, uploads: new Set(ids), cursor: read.cursor, partialErrors: read.partialErrors };
  }

  /** The last videos of a channel, of which Shorts and premieres cannot be told apart. YouTube does not document the other playlists. */
  async function allIdsOf(channelId: string, signal: AbortSignal | undefined): Promise<PageOfIds> {
    const all = await lists.read(channelId, signal);
    const message = `youtube has no playlists of the videos and streams of ${channelId}: its Shorts cannot be told from its videos.`;
    const noPlaylists: readonly PartialError[] = all.ids.length === 0 ? [] : [{ fault: 'missing', message, values: [] }];
    return { ids: all.ids, uploads: new Set(), cursor: undefined, partialErrors: [...noPlaylists, ...incompleteLists([all])] };
  }

  return async ({ user, sort }, options): Promise<Page<Video>> => {
    const { signal } = options;
    const channelId = await channels.idOf(user, signal);
    if (channelId === undefined) throw new PlatformError(`youtube has no channel "${user}".`, { platform: 'youtube', fault: 'missing' });
    const { ids, uploads, cursor, partialErrors } = await idsOf(channelId, sort, options);
    const read = await videosById(api, ids, { signal });
    const rows = read.rows.filter((row) => isVideo(row) && !(row.live && uploads.has(row.id)));
    const items = await toVideos(rows, channels, signal);
    const sorted = sort === 'TIME' ? items.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime()) : items;
    return { items: sorted, cursor, scanned: ids.length, partialErrors: [...partialErrors, ...read.partialErrors] };
  };
}

/** The playlists that YouTube keeps for each channel: videos without Shorts, and streams. */
function playlistsOf(channelId: string): readonly [videos: string, recordings: string] {
  const part = channelId.slice('UC'.length);
  return [`UULF${part}`, `UULV${part}`];
}

/** Neither announced nor live. */
export function isVideo({ liveBroadcastContent, isPremiere }: VideoRow): boolean {
  return liveBroadcastContent === 'none' && !isPremiere;
}

export async function toVideos(rows: readonly ReadVideo[], channels: Channels, signal: AbortSignal | undefined): Promise<readonly Video[]> {
  return Promise.all(
    rows.map(async (row): Promise<Video> => ({
      platform: 'youtube',
      id: row.id,
      url: videoUrl(row.id),
      owner: await ownerOf(row, channels, signal),
      title: row.title,
      description: row.description,
      createdAt: row.publishedAt,
      publishedAt: row.publishedAt,
      durationMs: row.durationMs,
      viewCount: row.viewCount,
      language: row.language,
      kind: row.live ? 'archive' : 'upload',
      streamId: row.live ? row.id : undefined,
      mutedSegments: [],
      thumbnailUrl: row.thumbnails,
      fetchedAt: row.fetchedAt,
    })),
  );
}

/** The channel of a video, with its handle and its pictures. */
export async function streamerOf(
  { channelId, channelTitle }: VideoRow,
  channels: Channels,
  signal: AbortSignal | undefined,
): Promise<Stream['owner']> {
  const channel = await channels.byId(channelId, signal);
  const known = channel ?? { id: channelId, handle: channelId, displayName: channelTitle, avatarUrl: undefined, bannerUrl: undefined };
  const { id, handle, displayName, avatarUrl, bannerUrl } = known;
  return { platform: 'youtube', id, url: channelUrl(known), handle, displayName, avatarUrl, bannerUrl };
}

/** The channel of a video, with its handle. Only streams have its pictures. */
export async function ownerOf(row: VideoRow, channels: Channels, signal: AbortSignal | undefined): Promise<Person> {
  const { avatarUrl: _avatarUrl, bannerUrl: _bannerUrl, ...owner } = await streamerOf(row, channels, signal);
  return owner;
}

export function videoUrl(id: string): string {
  return `https://www.youtube.com/watch?v=${id}`;
}
