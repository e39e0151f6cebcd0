import { isJsonObject, type Json } from '#src/clients/operation/json.ts';
import type { Item } from '#src/rules/poll.ts';
import { nameOf } from './item-fields.ts';

/** The fields of a record that people search for. Most other texts change during an episode, or are the same in many records. */
const NAME_FIELDS = ['handle', 'displayName', 'name', 'title', 'url'];
/** The index keeps no more of a name. */
const MOST_CHARACTERS = 100;

/** The texts by which people search for an item: its key, its names, and those of its owner or author. */
export function namesOfItem(item: Item, key: string): readonly string[] {
  const people = [item['owner'], item['author']];
  return [key, nameOf(item, key), ...textsOf(item, NAME_FIELDS), ...people.flatMap((one) => textsOf(one, ['id', ...NAME_FIELDS]))];
}

function textsOf(record: Json | undefined, fields: readonly string[]): readonly string[] {
  if (!isJsonObject(record)) return [];
  return fields.flatMap((field) => {
    const text = Object.hasOwn(record, field) ? record[field] : undefined;
    return typeof text === 'string' && text !== '' ? [text] : [];
  });
}

/** A text without the parts in which names of the same item differ. */
export function folded(text: string): string {
  return text.replace(/^@/u, '').toLowerCase();
}

/** The form of a name in an index. Any database stores it. Long names with the same beginning have the same form. */
export function indexedName(name: string): string {
  return folded(name).replaceAll('\0', '').slice(0, MOST_CHARACTERS).toWellFormed();
}
