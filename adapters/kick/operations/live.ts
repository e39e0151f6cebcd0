import type { Query } from '#src/http/request-parts.ts';
import type { Page, PartialError } from '#src/paging/page.ts';
import type { StreamSort } from '#src/streaming/enumerations.ts';
import type { Stream } from '#src/streaming/records.ts';
import type { KickApi } from '../client.ts';
import { type GameRow, LiveRows, toStream } from '../wire.ts';

const MOST_ROWS = 1000;

const ORDERS: Readonly<Record<StreamSort, (a: Stream, b: Stream) => number>> = {
  VIEWER_COUNT: (a, b) => b.viewerCount - a.viewerCount,
  VIEWER_COUNT_ASC: (a, b) => a.viewerCount - b.viewerCount,
  STARTED_AT: (a, b) => b.startedAt.getTime() - a.startedAt.getTime(),
};

/** The streams of a scan. */
export interface LiveScan {
  readonly found: readonly { readonly stream: Stream; readonly game: GameRow | undefined }[];
  readonly scanned: number;
  readonly partialErrors: readonly PartialError[];
  /** Whether the budget ended the scan. */
  readonly approximate: boolean;
}

/** All live streams in the order of their start, which is Kick's only order. */
export async function scanLive(api: KickApi, query: Query, signal: AbortSignal | undefined): Promise<LiveScan> {
  const found = new Map<string, LiveScan['found'][number]>();
  const met = new Set<string>();
  let cursor: string | undefined;
  const partialErrors: PartialError[] = [];
  let scanned = 0;

  for (let requests = 1; ; requests++) {
    const answer = await api.list('/v2/livestreams', LiveRows, { ...query, limit: MOST_ROWS }, { cursor, signal });
    for (const row of answer.rows) found.set(row.stream.id, { game: row.game, stream: toStream(row, answer.fetchedAt) });
    partialErrors.push(...answer.partialErrors);
    scanned += answer.rows.length;
    const result = { found: [...found.values()], scanned, partialErrors };
    if (answer.cursor === undefined || met.has(answer.cursor)) return { ...result, approximate: false };
    if (requests === api.pageRequests) return { ...result, approximate: true };
    met.add(answer.cursor);
    cursor = answer.cursor;
  }
}

/** The wanted streams of a scan as one sorted page. */
export function pageOf({ found, ...scan }: LiveScan, wanted: (stream: Stream) => boolean, sort: StreamSort): Page<Stream> {
  const items = found.map(({ stream }) => stream).filter(wanted);
  return { items: items.toSorted(ORDERS[sort]), ...scan };
}

/** Whether a stream has one of the tags in any case; without tags, every stream matches. */
export function hasTag(tags: readonly string[] = []): (stream: Stream) => boolean {
  const wanted = new Set(tags.map((tag) => tag.toLowerCase()));
  return (stream) => wanted.size === 0 || stream.tags.some((tag) => wanted.has(tag.toLowerCase()));
}
