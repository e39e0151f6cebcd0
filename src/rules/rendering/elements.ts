import { isJsonObject, type Json } from '#src/operation/json.ts';
import { hash } from '../firing.ts';
import type { Element } from '../element.ts';

const LONGEST_KEY = 100;

/** The elements of a list, each with a key that it keeps whenever the list is worked out again. */
export function elementsOf(list: readonly Json[]): readonly Element[] {
  const counts = new Map<string, number>();
  return list.map((it, index) => {
    const key = keyOf(it, index);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return { key: count === 1 ? key : `${key}#${count}`, it, index };
  });
}

/** What an element is known by: its id, or that of the item in it, its name, itself; else its place. */
function keyOf(it: Json, index: number): string {
  const record = isJsonObject(it) ? it : {};
  const item = isJsonObject(record['item']) ? record['item'] : {};
  const known = [record['id'], record['key'], record['name'], item['id'], it].find((one) => typeof one === 'string' && one !== '');
  if (typeof known !== 'string') return String(typeof it === 'number' ? it : index);
  return known.length > LONGEST_KEY ? hash(known) : known;
}
