import { z } from 'zod';
import { readRows, type ReadRows } from '#src/http/lenient.ts';
import type { Person } from '#src/operation/record.ts';
import type { Stream } from '#src/streaming/records.ts';

/** A record as far as the answer says it. */
export type Row<T> = Omit<T, 'fetchedAt'>;

/** What every list of Helix answers with. */
export interface Rows<T> extends ReadRows<T> {
  /** Where the next answer starts; absent at the end. */
  readonly cursor: string | undefined;
}

/** Helix never answers null for a list. */
const List = z.array(z.unknown()).transform((rows): unknown[] | null | undefined => rows);

/** Reads a list of Helix row by row. Compiled, since a schema that is walked takes longer than all else about a page. */
export function rowsOf<T>(row: z.ZodType<T>, named?: readonly string[]): z.ZodType<Rows<T>> {
  const all = z.compile(z.array(row), { strict: true });
  return z
    .object({ data: List.pipe(readRows(row, { named, all })), pagination: z.object({ cursor: z.string().optional() }).nullish() })
    .transform(({ data, pagination }) => ({ ...data, cursor: pagination?.cursor || undefined }));
}

/** Longer than what Helix ends its lists with. */
const LONGEST_END = 1000;
/** Where JSON ends so, this is a member of the outermost object: no text inside it can have these quotes, and none is open behind them. */
const CURSOR_AT_END = /[,{]"pagination":\{"cursor":"([\w+/=-]+)"\}\}\s*$/;

/** The cursor of an answer that is not parsed yet, where it is the last thing that the answer says; absent where that is not certain. */
export function cursorAtEnd(text: string): string | undefined {
  return CURSOR_AT_END.exec(text.slice(-LONGEST_END))?.[1];
}

export { instant } from '#src/http/lenient.ts';

/** An empty text is Helix's way to say that there is none. */
export const filled = z.string().transform((text) => text || undefined);
export const count = z.int().min(0);

/** Somebody whose login is known. */
export function toPerson(id: string, login: string, displayName: string): Person {
  return copied({ platform: 'twitch', id, url: channelUrl(login), handle: login, displayName });
}

/** A game as another record names it. */
function toGameReference(id: string, name: string): NonNullable<Stream['game']> {
  return copied({ platform: 'twitch', id, url: gameUrl(name), name });
}

/** Games as records of one page name them; each is made once, since most of a page are of few games and all of them may be kept for long. */
export function gameReferences(): (id: string, name: string) => NonNullable<Stream['game']> {
  const known = new Map<string, NonNullable<Stream['game']>>();
  return (id, name) => {
    const place = known.get(id) ?? toGameReference(id, name);
    known.set(id, place);
    return place;
  };
}

/**
 * The same record once more. Where literals of one place in the code live long, V8 soon makes them in its old space, and what is dead there
 * keeps alive all that it names: without the copy, a long walk spends half of its time on collecting garbage.
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

/** `%{width}` as some answers have it, and `{width}`, as `{width}`. */
export function toTemplate(url: string): string {
  return url.replaceAll('%{', '{');
}

/** Where a template names the size. */
const SIZE = '{width}x{height}';

/** The address of a picture of that size, be it a template or one that names another size. */
export function sized(url: string, size: `${number}x${number}`): string {
  return url.includes(SIZE) ? url.replace(SIZE, size) : url.replace(/-\d+x\d+(\.\w+)$/, `-${size}$1`);
}
