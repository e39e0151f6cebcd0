import { boundedKey } from '#src/rules/bounded-key.ts';
import type { ListEntry } from '#src/rules/lists.ts';

/** The longest key of an item: see `item-key.ts`. */
const LONGEST_KEY = 500;

/** The key of the item of an entry. */
export function keyOfEntry({ id, ...of }: Pick<ListEntry, 'list' | 'server' | 'id'>): string {
  return boundedKey(keysOfServer(of) + id, LONGEST_KEY);
}

/** The Discord server of the entry of an item; undefined: the item belongs to no server. */
export function serverInKey(key: string): string | undefined {
  return /^[^/]+\/(\d{15,20})\//u.exec(key)?.[1];
}

/** The start of the keys of all entries of a list in one server. */
export function keysOfServer({ list, server = '' }: Pick<ListEntry, 'list' | 'server'>): string {
  return `${list}/${server}/`;
}
