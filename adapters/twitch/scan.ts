import { z } from 'zod';
import type { Page, PartialError } from '#src/paging/page.ts';
import type { Stream } from '#src/streaming/records.ts';
import { MOST_ROWS } from './helix.ts';

/** A place inside the platform's own page. */
const Place = z.object({ after: z.string().optional(), skip: z.int().min(0) });
type Place = z.output<typeof Place>;

export interface ScanOptions<T> {
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
  let { after, skip } = cursor === undefined ? { after: undefined, skip: 0 } : Place.parse(JSON.parse(cursor));
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
      const place = index + 1 < items.length ? { after, skip: index + 1 } : placeAt(next);
      return { items: [...found.values()], scanned, partialErrors, cursor: place && JSON.stringify(place) };
    }

    const page = { items: [...found.values()], scanned, partialErrors };
    if (next === undefined || met.has(next)) return page;
    if (requests === most) return { ...page, approximate: true, cursor: JSON.stringify(placeAt(next)) };
    met.add(next);
    after = next;
    skip = 0;
  }
}

function placeAt(after: string | undefined): Place | undefined {
  return after === undefined ? undefined : { after, skip: 0 };
}

/** Whether a stream has one of the tags, whatever the case; without tags each is taken. */
export function hasTag(tags: readonly string[] = []): (stream: Stream) => boolean {
  const wanted = new Set(tags.map((tag) => tag.toLowerCase()));
  return (stream) => wanted.size === 0 || stream.tags.some((tag) => wanted.has(tag.toLowerCase()));
}
