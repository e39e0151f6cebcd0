import { z } from 'zod';
import { objectIn } from '#src/http/values.ts';
import { instant, maybe, readRows, type ReadRows } from '#src/http/lenient.ts';

const count = z
  .string()
  .regex(/^\d{1,15}$/u)
  .transform(Number);
const filled = z
  .string()
  .nullish()
  .transform((text) => text || undefined);
const picture = z
  .object({ url: z.url({ protocol: /^https?$/u }) })
  .nullish()
  .catch(undefined);
const thumbnails = z
  .object({ maxres: picture, standard: picture, high: picture, medium: picture, default: picture })
  .nullish()
  .transform((sizes) => (sizes?.maxres ?? sizes?.standard ?? sizes?.high ?? sizes?.medium ?? sizes?.default)?.url);

/** A page of rows. */
export interface Rows<T> extends ReadRows<T> {
  /** The token of the next page; absent at the end. */
  readonly cursor: string | undefined;
}

function rowsOf<T>(row: z.ZodType<T>, options?: Parameters<typeof readRows<T>>[1]): z.ZodType<Rows<T>> {
  const Answer = z
    .object({ items: readRows(row, { ...options, isRequired: true }), nextPageToken: filled })
    .transform(({ items, nextPageToken }) => ({ ...items, cursor: nextPageToken }));
  // YouTube leaves an empty list out, but never the kind of the list.
  return z.preprocess((wire) => (objectIn(wire)?.['kind'] === undefined ? wire : { items: [], ...objectIn(wire) }), Answer);
}

const VideoRow = z
  .object({
    id: z.string(),
    snippet: z.object({
      channelId: z.string(),
      channelTitle: z.string(),
      title: z.string(),
      description: filled,
      publishedAt: instant,
      tags: z
        .array(z.string())
        .nullish()
        .transform((list) => list ?? []),
      liveBroadcastContent: z.enum(['none', 'live', 'upcoming']),
      defaultAudioLanguage: filled,
      defaultLanguage: filled,
      thumbnails,
    }),
    contentDetails: z.object({ duration: filled }).nullish(),
    statistics: z.object({ viewCount: maybe(count) }).nullish(),
    liveStreamingDetails: z
      .object({
        actualStartTime: maybe(instant),
        actualEndTime: maybe(instant),
        scheduledStartTime: maybe(instant),
        scheduledEndTime: maybe(instant),
        concurrentViewers: maybe(count),
      })
      .nullish(),
  })
  .transform(({ id, snippet, contentDetails, statistics, liveStreamingDetails: live }) => {
    const durationMs = toMs(contentDetails?.duration);
    const liveBroadcastContent = stateOf(snippet.liveBroadcastContent, live ?? {});
    return {
      id,
      ...snippet,
      liveBroadcastContent,
      durationMs,
      viewCount: statistics?.viewCount ?? 0,
      language: (snippet.defaultAudioLanguage ?? snippet.defaultLanguage)?.toLowerCase(),
      live: live ?? undefined,
      // A stream has no length before it ends; a premiere has one.
      isPremiere: live !== null && live !== undefined && liveBroadcastContent !== 'none' && durationMs > 0,
    };
  });
/** A video, a stream or a premiere. */
export type VideoRow = z.output<typeof VideoRow>;

/** A video that is neither live nor announced. */
const OverRow = z.object({ snippet: z.object({ liveBroadcastContent: z.literal('none') }) });

const ChannelRow = z
  .object({
    id: z.string(),
    snippet: z.object({ title: z.string(), description: filled, customUrl: filled, publishedAt: maybe(instant), thumbnails }),
    statistics: z.object({ subscriberCount: maybe(count), hiddenSubscriberCount: z.boolean().nullish() }).nullish(),
    brandingSettings: z.object({ image: z.object({ bannerExternalUrl: filled }).nullish() }).nullish(),
  })
  .transform(({ id, snippet, statistics, brandingSettings }) => ({
    id,
    // Old channels have no handle.
    handle: snippet.customUrl?.replace(/^@/u, '') ?? id,
    displayName: snippet.title,
    bio: snippet.description,
    createdAt: snippet.publishedAt,
    avatarUrl: snippet.thumbnails,
    bannerUrl: brandingSettings?.image?.bannerExternalUrl,
    followerCount: statistics?.hiddenSubscriberCount === true ? undefined : statistics?.subscriberCount,
  }));
export type ChannelRow = z.output<typeof ChannelRow>;

const FoundRow = z
  .object({ id: z.object({ videoId: filled, channelId: filled }) })
  .transform(({ id }) => ({ id: id.videoId ?? id.channelId ?? '' }));
const PlaylistRow = z
  .object({ contentDetails: z.object({ videoId: z.string() }) })
  .transform(({ contentDetails }) => ({ id: contentDetails.videoId }));

export const VideoRows = rowsOf(VideoRow);
/** Videos of which only the live and announced ones matter. An unreadable video that is over is left out, so it fails no channel. */
export const BroadcastRows = rowsOf(VideoRow, {
  isHidden: (wire) => OverRow.safeParse(wire).success && !VideoRow.safeParse(wire).success,
});
export const ChannelRows = rowsOf(ChannelRow);
export const FoundRows = rowsOf(FoundRow);
export const PlaylistRows = rowsOf(PlaylistRow);

/** The state of a video. YouTube can call a stream upcoming for a while after its start: https://github.com/CyTube/mediaquery/pull/15. */
function stateOf<S extends string>(
  stated: S,
  { actualStartTime, actualEndTime }: { readonly actualStartTime?: Date | undefined; readonly actualEndTime?: Date | undefined },
): S | 'none' | 'live' {
  if (stated !== 'upcoming' || actualStartTime === undefined) return stated;
  return actualEndTime === undefined ? 'live' : 'none';
}

/** The milliseconds of an ISO 8601 duration: `PT1H2M3S` or `P1DT2H`. */
function toMs(text = ''): number {
  const [, days = '0', hours = '0', minutes = '0', seconds = '0'] =
    /^P(?:(\d{1,4})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,4})M)?(?:(\d{1,6})S)?)?$/u.exec(text) ?? [];
  return (((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}
