import { z } from 'zod';
import type { Stream } from '#src/streaming/records.ts';
import { channelUrl, count, gameUrl, sized, toPerson, toTemplate } from './parts.ts';
import { rowsOf } from './rows.ts';

// Checked only, and made into a record afterwards: transforming in the schema takes longer than everything else about a page.
const StreamRow = z.object({
  id: z.string(),
  user_id: z.string(),
  user_login: z.string(),
  user_name: z.string(),
  game_id: z.string(),
  game_name: z.string(),
  title: z.string(),
  viewer_count: count,
  started_at: z.iso.datetime({ offset: true }),
  language: z.string(),
  tags: z.array(z.string()).nullish(),
  thumbnail_url: z.string(),
});

export const StreamRows = rowsOf(StreamRow);

/** The stream that a row was at `fetchedAt`. */
export function toStream(row: z.output<typeof StreamRow>, fetchedAt: Date): Stream {
  const template = toTemplate(row.thumbnail_url) || undefined;
  return {
    platform: 'twitch',
    id: row.id,
    url: channelUrl(row.user_login),
    owner: toPerson(row.user_id, row.user_login, row.user_name),
    game: row.game_id === '' ? undefined : { platform: 'twitch', id: row.game_id, url: gameUrl(row.game_name), name: row.game_name },
    title: row.title,
    viewerCount: row.viewer_count,
    startedAt: new Date(row.started_at),
    language: row.language.toLowerCase() || undefined,
    tags: row.tags ?? [],
    // The picture changes under the same address.
    thumbnailUrl: template && `${sized(template, 1280, 720)}?t=${fetchedAt.getTime()}`,
    thumbnailTemplate: template,
    fetchedAt,
  };
}
