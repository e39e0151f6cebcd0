import type { Query } from '#src/http/request-parts.ts';
import type { Page, PartialError } from '#src/clients/paging/page.ts';
import { readPages } from '#src/clients/paging/read-pages.ts';
import type { StreamSort } from '#src/clients/streaming/enumerations.ts';
import type { Stream } from '#src/clients/streaming/records.ts';
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
  const partialErrors: PartialError[] = [];
  let scanned = 0;
  let approximate = false;
  const read = (cursor: string | undefined) => api.list('/v2/livestreams', LiveRows, { ...query, limit: MOST_ROWS }, { cursor, signal });
  for await (const { page, isEnd } of readPages(read, api.pageRequests)) {
    for (const row of page.rows) found.set(row.stream.id, { game: row.game, stream: toStream(row, page.fetchedAt) });
    partialErrors.push(...page.partialErrors);
    scanned += page.rows.length;
    approximate = !isEnd;
  }
  return { found: [...found.values()], scanned, partialErrors, approximate };
}

/** The wanted streams of a scan as one sorted page. */
export function pageOf({ found, ...scan }: LiveScan, wanted: (stream: Stream) => boolean, sort: StreamSort): Page<Stream> {
  const items = found.map(({ stream }) => stream).filter(wanted);
  return { items: items.toSorted(ORDERS[sort]), ...scan };
}
