import { isJsonObject, type Json } from '#src/operation/json.ts';
import type { Item } from '../../poll.ts';

const COUNT = new Intl.NumberFormat('en');

/** A number as people write it. */
export function numeral(n: number): string {
  return COUNT.format(n);
}

/** A number of things, as `1,200 viewers`. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${COUNT.format(n)} ${n === 1 ? one : many}`;
}

/** The first names of a list, and how many more there are. */
export function several(names: readonly string[], shown = 5): string {
  const more = names.length - shown;
  return more > 0 ? `${names.slice(0, shown).join(', ')} and ${COUNT.format(more)} more` : names.join(', ');
}

/** What a person would call the item. */
export function nameOf(item: Item, key: string): string {
  for (const path of [['owner', 'displayName'], ['author', 'displayName'], ['displayName'], ['name'], ['title']]) {
    const name = path.reduce<Json | undefined>((value, field) => (isJsonObject(value) ? value[field] : undefined), item);
    if (typeof name === 'string' && name !== '') return name;
  }
  return key;
}

/** Where the item stands, as `#3 with 740 viewers`. */
export function standing({ rank, viewerCount }: Item): string {
  const viewers = typeof viewerCount === 'number' ? ` with ${count(viewerCount, 'viewer')}` : '';
  return `#${typeof rank === 'number' ? rank : '?'}${viewers}`;
}
