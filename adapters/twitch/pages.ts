import { z } from 'zod';
import type { Query } from '#src/http/request-parts.ts';
import type { PageOptions } from '#src/clients/operation/platform.ts';
import type { Page, PartialError } from '#src/clients/paging/page.ts';
import type { Game, Stream, Video } from '#src/clients/streaming/records.ts';
import { type Helix, MOST_ROWS } from './client.ts';
import { GameRows, StreamRows, toStreams } from './wire/stream.ts';
import { VideoRows } from './wire/video.ts';

/** One page of live streams, most watched first. A simulated server may not sort them. */
export async function readStreams(helix: Helix, query: Query, options: PageOptions): Promise<Page<Stream>> {
  const { rows, partialErrors, cursor, fetchedAt } = await helix.list('/streams', StreamRows, { ...query, first: MOST_ROWS }, options);
  return { items: toStreams(rows, fetchedAt).toSorted((a, b) => b.viewerCount - a.viewerCount), partialErrors, cursor };
}

/** One page of games. */
export async function readGames(helix: Helix, path: string, query: Query, options: PageOptions): Promise<Page<Game>> {
  const { rows, partialErrors, cursor, fetchedAt } = await helix.list(path, GameRows, query, options);
  return { items: rows.map((row) => ({ ...row, fetchedAt })), partialErrors, cursor };
}

/** One page of videos. */
export async function readVideos(helix: Helix, query: Query, options: PageOptions): Promise<Page<Video>> {
  const { rows, partialErrors, cursor, fetchedAt } = await helix.list('/videos', VideoRows, { ...query, first: MOST_ROWS }, options);
  return { items: rows.map((row) => ({ ...row, fetchedAt })), partialErrors, cursor };
}

/** A position within a page of the platform. */
const Position = z.object({ after: z.string().optional(), skip: z.int().min(0) });
type Position = z.output<typeof Position>;

interface ScanOptions<T> {
  /** Reads a page of the platform. */
  readonly read: (after: string | undefined) => Promise<Page<T>>;
  readonly keep: (item: T) => boolean;
  /** The largest number of requests. */
  readonly requests: number;
  /** The cursor of an earlier scan. */
  readonly cursor?: string | undefined;
  /** The number of items of a page. */
  readonly size?: number | undefined;
}

/** A page of the items for which `keep` is true, from as many pages of the platform as the budget allows. */
export async function scan<T extends { readonly id: string }>({
  read,
  keep,
  requests: most,
  cursor,
  size = MOST_ROWS,
}: ScanOptions<T>): Promise<Page<T>> {
  let { after, skip } = cursor === undefined ? { after: undefined, skip: 0 } : Position.parse(JSON.parse(cursor));
  const found = new Map<string, T>();
  const met = new Set([after]);
  const partialErrors: PartialError[] = [];
  let scanned = 0;

  for (let requests = 1; ; requests++) {
    const { items, partialErrors: parts = [], cursor: next } = await read(after);
    partialErrors.push(...parts);
    for (const [index, item] of items.entries()) {
      if (index < skip) continue;
      scanned += 1;
      if (keep(item)) found.set(item.id, found.get(item.id) ?? item);
      if (found.size < size) continue;
      const position = index + 1 < items.length ? { after, skip: index + 1 } : positionAt(next);
      return { items: [...found.values()], scanned, partialErrors, cursor: position && JSON.stringify(position) };
    }

    const page = { items: [...found.values()], scanned, partialErrors };
    if (next === undefined || met.has(next)) return page;
    if (requests === most) return { ...page, approximate: true, cursor: JSON.stringify(positionAt(next)) };
    met.add(next);
    after = next;
    skip = 0;
  }
}

function positionAt(after: string | undefined): Position | undefined {
  return after === undefined ? undefined : { after, skip: 0 };
}

/** The language code of Twitch: `zh-hk` for `ZH_HK`. */
export function toCode(language: string): string {
  return language.toLowerCase().replaceAll('_', '-');
}
