import { z } from 'zod';
import { derived, readRows, type ReadRows } from '#src/http/lenient.ts';
import type { Person } from '#src/clients/operation/record.ts';
import type { Stream } from '#src/clients/streaming/records.ts';

/** A record in a response. */
export type Row<T> = Omit<T, 'fetchedAt'>;

/** A page of rows. */
export interface Rows<T> extends ReadRows<T> {
  /** The start of the next page; absent at the end. */
  readonly cursor: string | undefined;
}

/** A list of Helix is never null. */
const List = derived(z.array(z.unknown()), (rows): unknown[] | null | undefined => rows);

/**
 * The schema of a page, parsed row by row. The first page compiles it, because parsing takes most of the time of a page, and compilation
 * takes time of a start.
 */
export function rowsOf<T>(row: z.ZodType<T>, named?: readonly string[]): z.ZodType<Rows<T>> {
  const faster = (): z.ZodType<T> => z.compile(row, { strict: true });
  const page = z.object({
    data: List.pipe(readRows(row, { named, faster })),
    pagination: z.object({ cursor: z.string().optional() }).nullish(),
  });
  return derived(page, ({ data, pagination }) => ({ ...data, cursor: pagination?.cursor || undefined }));
}

/** Longer than the end of any list of Helix. */
const LONGEST_END = 1000;
/** Text at the end of JSON that can only be a member of the outermost object: no string can contain these quotes unescaped. */
const CURSOR_AT_END = /[,{]"pagination":\{"cursor":"([\w+/=-]+)"\}\}\s*$/;

/** The cursor at the end of an unparsed response; undefined if it is not certain. */
export function cursorAtEnd(text: string): string | undefined {
  return CURSOR_AT_END.exec(text.slice(-LONGEST_END))?.[1];
}

export { instant } from '#src/http/lenient.ts';

/** A text that is absent if empty. */
export const filled = z.string().transform((text) => text || undefined);
export const count = z.int().min(0);

/** A person whose login is known. */
export function toPerson(id: string, login: string, displayName: string): Person {
  return copied({ platform: 'twitch', id, url: channelUrl(login), handle: login, displayName });
}

/** A game inside another record. */
function toGameReference(id: string, name: string): NonNullable<Stream['game']> {
  return copied({ platform: 'twitch', id, url: gameUrl(name), name });
}

/** Games inside the records of one page. Each is created once, which saves memory: the streams of a page share few games. */
export function gameReferences(): (id: string, name: string) => NonNullable<Stream['game']> {
  const known = new Map<string, NonNullable<Stream['game']>>();
  return (id, name) => {
    const place = known.get(id) ?? toGameReference(id, name);
    known.set(id, place);
    return place;
  };
}

/**
 * A copy of a record. V8 soon allocates long-lived literals of one code location in its old space, where dead objects keep others alive.
 * Without the copy, a long walk spends half of its time on garbage collection.
 */
export function copied<T extends object>(record: T): T {
  return { ...record };
}

export function channelUrl(login: string): string {
  return `https://www.twitch.tv/${login}`;
}

export function gameUrl(name: string): string {
  return `https://www.twitch.tv/directory/game/${encodeURIComponent(name)}`;
}

/** The template with `{width}` in place of `%{width}`. */
export function toTemplate(url: string): string {
  return url.replaceAll('%{', '{');
}

/** The size in a template. */
const SIZE = '{width}x{height}';

/** The address of a picture in this size, from a template or from the address in another size. */
export function sized(url: string, size: `${number}x${number}`): string {
  return url.includes(SIZE) ? url.replace(SIZE, size) : url.replace(/-\d+x\d+(\.\w+)$/, `-${size}$1`);
}
