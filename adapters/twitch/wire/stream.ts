import { z } from 'zod';
import { arrayOf } from '#src/http/lenient.ts';
import type { Game, Stream } from '#src/clients/streaming/records.ts';
import { copied, count, filled, gameReferences, gameUrl, instant, type Row, rowsOf, sized, toPerson, toTemplate } from './rows.ts';

const StreamRow = z.object({
  id: z.string(),
  user_id: z.string(),
  user_login: z.string(),
  user_name: z.string(),
  game_id: z.string(),
  game_name: z.string(),
  title: z.string(),
  viewer_count: count,
  started_at: instant,
  language: z.string(),
  tags: arrayOf(z.string()).nullish(),
  thumbnail_url: z.string(),
});

export const StreamRows = rowsOf(StreamRow, ['user_id', 'user_login']);

/** The streams of the rows at `fetchedAt`. */
export function toStreams(rows: readonly z.output<typeof StreamRow>[], fetchedAt: Date): readonly Stream[] {
  // The picture changes at the same address.
  const unseen = `?t=${fetchedAt.getTime()}`;
  const gameOf = gameReferences();
  return rows.map((row) => {
    const owner = toPerson(row.user_id, row.user_login, row.user_name);
    const template = row.thumbnail_url || undefined;
    return copied({
      platform: 'twitch',
      id: row.id,
      url: owner.url,
      owner,
      game: row.game_id === '' ? undefined : gameOf(row.game_id, row.game_name),
      title: row.title,
      viewerCount: row.viewer_count,
      startedAt: row.started_at,
      language: row.language.toLowerCase() || undefined,
      tags: row.tags ?? [],
      thumbnailUrl: template && sized(template, '1280x720') + unseen,
      thumbnailTemplate: template,
      fetchedAt,
    });
  });
}

const GameRow = z
  .object({ id: z.string(), name: z.string(), box_art_url: filled.optional(), igdb_id: filled.optional() })
  .transform((wire): Row<Game> => ({
    platform: 'twitch',
    id: wire.id,
    url: gameUrl(wire.name),
    name: wire.name,
    boxArtUrl: wire.box_art_url && sized(toTemplate(wire.box_art_url), '600x800'),
    igdbId: wire.igdb_id,
  }));

export const GameRows = rowsOf(GameRow);
