import { isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import type { Episode } from '#src/rules/episode.ts';
import type { FiredItem } from '#src/rules/firing.ts';
import type { Item } from '#src/rules/poll.ts';
import type { Watched } from '#src/rules/rule.ts';
import type { Named, Standing } from '#src/rules/reasons/reason.ts';

const NAME_PATHS = ['owner.displayName', 'author.displayName', 'displayName', 'name', 'title'];
/** A picture that identifies the item comes before one of its content. */
const PICTURE_PATHS = ['owner.avatarUrl', 'author.avatarUrl', 'avatarUrl', 'boxArtUrl', 'thumbnailUrl'];

/** The display name of an item. Falls back to its key. */
export function nameOf(item: Item, key: string): string {
  return namedAt(item)?.name ?? key;
}

/** The item without everything but its display name. */
export function onlyName(item: Item): Item {
  const { path, name } = namedAt(item) ?? {};
  return path === undefined ? {} : withValue({}, path, name);
}

function namedAt(item: Item): { readonly path: string; readonly name: string } | undefined {
  for (const path of NAME_PATHS) {
    const name = valueAt(item, path);
    if (typeof name === 'string' && name !== '') return { path, name };
  }
  return undefined;
}

/** The item of an episode as people see it. */
export function firedItem({ key, item }: Pick<Episode, 'key' | 'item'>): FiredItem {
  const picture = PICTURE_PATHS.map((path) => valueAt(item, path)).find((url) => typeof url === 'string' && /^https?:/u.test(url));
  return { key, name: nameOf(item, key), ...(typeof picture === 'string' && { picture }) };
}

/** The number of items, and the display names of the first ones. */
export function namedOf(items: readonly { readonly item: Item; readonly key: string }[], shown = 5): Named {
  return { count: items.length, names: items.slice(0, shown).map(({ item, key }) => nameOf(item, key)) };
}

/** The rank and the viewers of an item. Lists that are no rankings, for example posts, have no rank. */
export function standingOf({ rank, viewerCount }: Item, { kind }: Pick<Watched, 'kind'>): Standing {
  return {
    ...(kind === 'ranking' && typeof rank === 'number' && { rank }),
    ...(typeof viewerCount === 'number' && { viewers: viewerCount }),
  };
}

/** The rank of an item in its list. */
export function rankOf({ rank }: Item): number | undefined {
  return typeof rank === 'number' ? rank : undefined;
}

/** Sorts episodes by the rank at which their items were last seen. */
export function byLastRank(a: Episode, b: Episode): number {
  return (rankOf(a.item) ?? 0) - (rankOf(b.item) ?? 0) || (a.id < b.id ? -1 : 1);
}

/** When the item started, as its platform reports it, in milliseconds since 1970. */
export function startOf({ startedAt }: Item): number | undefined {
  return instantMs(startedAt);
}

/** When an item of a feed was created, as its platform reports it, in milliseconds since 1970. */
export function creationOf({ createdAt, publishedAt, startedAt }: Item): number | undefined {
  return instantMs(createdAt) ?? instantMs(publishedAt) ?? instantMs(startedAt);
}

/** When an item took its place in a list with the newest items first. Some feeds state edits only, and followers the time of their follow. */
function placeOf(item: Item): number | undefined {
  const { updatedAt, followedAt, decidedAt, startsAt } = item;
  return creationOf(item) ?? [updatedAt, followedAt, decidedAt, startsAt].map(instantMs).find((ms) => ms !== undefined);
}

/** Values of a list that has its newest items first, with the oldest item first; unchanged if an item has no instant. */
export function byCreation<T>(all: readonly T[], itemOf: (one: T) => Item): readonly T[] {
  const created = all.map((one) => ({ one, ms: placeOf(itemOf(one)), id: itemOf(one)['id'] }));
  if (created.some(({ ms }) => ms === undefined)) return all;
  return created.toSorted((a, b) => (a.ms ?? 0) - (b.ms ?? 0) || byNumber(a.id, b.id)).map(({ one }) => one);
}

const DIGITS = /^[1-9]\d*$/u;

/** Ids that are numbers grow with time, also within the second that a platform reports. */
function byNumber(a: Json | undefined, b: Json | undefined): number {
  if (typeof a !== 'string' || typeof b !== 'string' || !DIGITS.test(a) || !DIGITS.test(b)) return 0;
  return a.length - b.length || (a < b ? -1 : Number(a > b));
}

/** When the item of a list came into being, as its platform reports it: ISO 8601. Absent: the platform does not report it. */
export function occurrenceOf(item: Item, { kind }: Pick<Watched, 'kind'>): { readonly occurredAt?: string } {
  const atMs = kind === 'live' ? startOf(item) : kind === 'feed' ? creationOf(item) : undefined;
  return atMs === undefined ? {} : { occurredAt: new Date(atMs).toISOString() };
}

/** The greatest value of each numeric field so far. */
export function peakOf(peak: Episode['peak'], item: Item): Episode['peak'] {
  let greatest: Record<string, number> | undefined;
  for (const field of Object.keys(item)) {
    const value = item[field];
    if (typeof value !== 'number' || field === 'rank') continue;
    const before = Object.hasOwn(peak, field) ? peak[field] : undefined;
    if (before !== undefined && before >= value) continue;
    greatest ??= { ...peak };
    greatest[field] = value;
  }
  return greatest ?? peak;
}

/** The name of the game of an item. */
export function gameOf({ game }: Item): string | undefined {
  const name = isJsonObject(game) ? game['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

const MOST_GAMES = 25;

/** The names of the games so far. */
export function gamesOf(games: Episode['games'], item: Item): Episode['games'] {
  const name = gameOf(item);
  if (name === undefined || games?.includes(name) || (games?.length ?? 0) >= MOST_GAMES) return games;
  return [...(games ?? []), name];
}

/** The value of a record at a path, for example `game.name`. */
export function valueAt(record: JsonObject, path: string): Json | undefined {
  // Most paths are single fields.
  if (!path.includes('.')) return Object.hasOwn(record, path) ? record[path] : undefined;
  let value: Json | undefined = record;
  for (const field of path.split('.')) {
    if (!isJsonObject(value) || !Object.hasOwn(value, field)) return undefined;
    value = value[field];
  }
  return value;
}

export function numberAt(record: JsonObject, path: string): number | undefined {
  const value = valueAt(record, path);
  return typeof value === 'number' ? value : undefined;
}

/** A copy of the record with another value at a path. */
export function withValue(record: JsonObject, path: string, value: Json | undefined): JsonObject {
  if (!path.includes('.')) return { ...record, [path]: value };
  const [field = '', ...rest] = path.split('.');
  const inner = record[field];
  return { ...record, [field]: withValue(isJsonObject(inner) ? inner : {}, rest.join('.'), value) };
}

function instantMs(value: Json | undefined): number | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
