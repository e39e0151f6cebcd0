import { z } from 'zod';
import type { Query } from '#src/http/request-parts.ts';
import type { PageOptions } from '#src/operation/platform.ts';
import type { Page, PartialError } from '#src/paging/page.ts';
import type { Game, Stream, Video } from '#src/streaming/records.ts';
import { type Helix, MOST_ROWS } from './client.ts';
import { GameRows, StreamRows, toStreams } from './wire/stream.ts';
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

/** A place inside the platform's own page. */
const Position = z.object({ after: z.string().optional(), skip: z.int().min(0) });
type Position = z.output<typeof Position>;

interface ScanOptions<T> {
  /** Asks the platform for its page at its own cursor. */
  readonly read: (after: string | undefined) => Promise<Page<T>>;
  readonly keep: (item: T) => boolean;
  /** How many requests the page may take. */
  readonly requests: number;
  /** The cursor that an earlier scan gave. */
  readonly cursor?: string | undefined;
  /** How many items make a page. */
  readonly size?: number | undefined;
}

/** A page of the items that are to be kept, filled from as many of the platform's pages as the budget allows. */
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

/** Whether a stream has one of the tags, whatever the case; without tags each is taken. */
export function hasTag(tags: readonly string[] = []): (stream: Stream) => boolean {
  const wanted = new Set(tags.map((tag) => tag.toLowerCase()));
  return (stream) => wanted.size === 0 || stream.tags.some((tag) => wanted.has(tag.toLowerCase()));
}

/** A language as Twitch has it: `zh-hk` for `ZH_HK`. */
export function toCode(language: string): string {
  return language.toLowerCase().replaceAll('_', '-');
}
