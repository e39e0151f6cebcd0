import { z } from 'zod';
import type { Person } from '#src/operation/record.ts';
import type { Stream } from '#src/streaming/records.ts';

export { instant } from '#src/http/lenient.ts';

/** An empty text is Helix's way to say that there is none. */
export const filled = z.string().transform((text) => text || undefined);
export const count = z.int().min(0);

/** Somebody whose login is known. */
export function toPerson(id: string, login: string, displayName: string): Person {
  return copied({ platform: 'twitch', id, url: channelUrl(login), handle: login, displayName });
}

/** A game as another record names it. */
function toGamePlace(id: string, name: string): NonNullable<Stream['game']> {
  return copied({ platform: 'twitch', id, url: gameUrl(name), name });
}

/** Games as records of one page name them; each is made once, since most of a page are of few games and all of them may be kept for long. */
export function gamePlaces(): (id: string, name: string) => NonNullable<Stream['game']> {
  const known = new Map<string, NonNullable<Stream['game']>>();
  return (id, name) => {
    const place = known.get(id) ?? toGamePlace(id, name);
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
