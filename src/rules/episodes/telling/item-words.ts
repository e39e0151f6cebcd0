import { isJsonObject, type Json } from '#src/operation/json.ts';
import type { Item } from '../../poll.ts';
import type { Standing } from '../../reasons/happened.ts';
import type { Named } from '../../reasons/reason.ts';

/** What a person would call the item. */
export function nameOf(item: Item, key: string): string {
  for (const path of [['owner', 'displayName'], ['author', 'displayName'], ['displayName'], ['name'], ['title']]) {
    const name = path.reduce<Json | undefined>((value, field) => (isJsonObject(value) ? value[field] : undefined), item);
    if (typeof name === 'string' && name !== '') return name;
  }
  return key;
}

/** Where the item stands. */
export function standingOf({ rank, viewerCount }: Item): Standing {
  return {
    ...(typeof rank === 'number' && { rank }),
    ...(typeof viewerCount === 'number' && { viewers: viewerCount }),
  };
}

/** How many there are, and what people call the first. */
export function namedOf(items: readonly { readonly item: Item; readonly key: string }[], shown = 5): Named {
  return { count: items.length, names: items.slice(0, shown).map(({ item, key }) => nameOf(item, key)) };
}
