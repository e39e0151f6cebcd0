import { z } from 'zod';
import { arrayOf } from '#src/http/lenient.ts';
import type { Video } from '#src/clients/streaming/records.ts';
import { count, filled, instant, type Row, rowsOf, sized, toPerson, toTemplate } from './rows.ts';

/** A duration as `3h8m33s`, `8m33s` or `33s`. */
const duration = z
  .string()
  .regex(/^(?=\d)(\d+h)?(\d+m)?(\d+s)?$/)
  .transform((text) => {
    const part = (unit: string): number => Number(new RegExp(`(\\d+)${unit}`).exec(text)?.[1] ?? 0);
    return ((part('h') * 60 + part('m')) * 60 + part('s')) * 1000;
  });

const MutedSegment = z
  .object({ offset: count, duration: count })
  .transform((wire) => ({ offsetMs: wire.offset * 1000, durationMs: wire.duration * 1000 }));

const VideoRow = z
  .object({
    id: z.string(),
    stream_id: filled.nullish(),
    user_id: z.string(),
    user_login: z.string(),
    user_name: z.string(),
    title: z.string(),
    description: filled,
    created_at: instant,
    published_at: instant,
    url: z.string(),
    thumbnail_url: filled,
    view_count: count,
    language: filled,
    type: z.enum(['archive', 'highlight', 'upload']),
    duration,
    muted_segments: arrayOf(MutedSegment).nullish(),
  })
  .transform((wire): Row<Video> => {
    const template = wire.thumbnail_url && toTemplate(wire.thumbnail_url);
    return {
      platform: 'twitch',
      id: wire.id,
      url: wire.url,
      owner: toPerson(wire.user_id, wire.user_login, wire.user_name),
      title: wire.title,
      description: wire.description,
      createdAt: wire.created_at,
      publishedAt: wire.published_at,
      durationMs: wire.duration,
      viewCount: wire.view_count,
      language: wire.language?.toLowerCase(),
      kind: wire.type,
      streamId: wire.stream_id ?? undefined,
      mutedSegments: wire.muted_segments ?? [],
      thumbnailUrl: template && sized(template, '1280x720'),
      thumbnailTemplate: template,
    };
  });

export const VideoRows = rowsOf(VideoRow);
