import { z } from 'zod';
import type { Clip } from '#src/clients/streaming/records.ts';
import { count, filled, instant, type Row, rowsOf } from './rows.ts';

/** A person in a clip, without the login. */
export interface NamedPerson {
  readonly id: string;
  readonly displayName: string;
}

/** A clip in a response. */
export interface ClipRow extends Omit<Row<Clip>, 'owner' | 'creator'> {
  readonly owner: NamedPerson;
  readonly creator: NamedPerson | undefined;
}

const Wire = z
  .object({
    id: z.string(),
    url: z.string(),
    embed_url: filled,
    broadcaster_id: z.string(),
    broadcaster_name: z.string(),
    creator_id: filled.nullish(),
    creator_name: z.string().nullish(),
    video_id: filled.nullish(),
    game_id: filled.nullish(),
    language: filled.nullish(),
    title: z.string(),
    view_count: count,
    created_at: instant,
    thumbnail_url: filled,
    duration: z.number().min(0),
    vod_offset: z.int().nullish(),
    is_featured: z.boolean().nullish(),
  })
  .transform((wire): ClipRow => ({
    platform: 'twitch',
    id: wire.id,
    url: wire.url,
    owner: { id: wire.broadcaster_id, displayName: wire.broadcaster_name },
    creator: wire.creator_id && wire.creator_name ? { id: wire.creator_id, displayName: wire.creator_name } : undefined,
    gameId: wire.game_id ?? undefined,
    videoId: wire.video_id ?? undefined,
    vodOffsetMs: typeof wire.vod_offset === 'number' && wire.vod_offset >= 0 ? wire.vod_offset * 1000 : undefined,
    title: wire.title,
    createdAt: wire.created_at,
    durationMs: Math.round(wire.duration * 1000),
    viewCount: wire.view_count,
    language: wire.language?.toLowerCase(),
    featured: wire.is_featured ?? undefined,
    thumbnailUrl: wire.thumbnail_url,
    embedUrl: wire.embed_url,
  }));

export const ClipRows = rowsOf(Wire);
