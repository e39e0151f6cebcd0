import { z } from 'zod';
import type { Game } from '#src/streaming/records.ts';
import { filled, gameUrl, sized, toTemplate } from './parts.ts';
import { rowsOf, type Row } from './rows.ts';

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
