import type { Query } from '#src/http/request-parts.ts';
import type { PageOptions } from '#src/operation/platform.ts';
import type { Page } from '#src/paging/page.ts';
import type { Game, Stream, Video } from '#src/streaming/records.ts';
import { MOST_ROWS, type Helix } from './helix.ts';
import { GameRows } from './wire/game.ts';
import { StreamRows, toStreams } from './wire/stream.ts';
import { VideoRows } from './wire/video.ts';

/** Live streams, most watched first: one page of Twitch's own. A server that stands in for Twitch may not sort them. */
export async function readStreams(helix: Helix, query: Query, options: PageOptions): Promise<Page<Stream>> {
  const { rows, partialErrors, cursor, fetchedAt } = await helix.list('/streams', StreamRows, { ...query, first: MOST_ROWS }, options);
  return { items: toStreams(rows, fetchedAt).toSorted((a, b) => b.viewerCount - a.viewerCount), partialErrors, cursor };
}

/** Games: one page of Twitch's own. */
export async function readGames(helix: Helix, path: string, query: Query, options: PageOptions): Promise<Page<Game>> {
  const { rows, partialErrors, cursor, fetchedAt } = await helix.list(path, GameRows, query, options);
  return { items: rows.map((row) => ({ ...row, fetchedAt })), partialErrors, cursor };
}

/** Videos: one page of Twitch's own. */
export async function readVideos(helix: Helix, query: Query, options: PageOptions): Promise<Page<Video>> {
  const { rows, partialErrors, cursor, fetchedAt } = await helix.list('/videos', VideoRows, { ...query, first: MOST_ROWS }, options);
  return { items: rows.map((row) => ({ ...row, fetchedAt })), partialErrors, cursor };
}
