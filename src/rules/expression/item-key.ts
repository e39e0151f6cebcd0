import type { Catalogue } from '#src/operation/catalogue.ts';
import type { Json } from '#src/operation/json.ts';
import type { Item } from '../poll.ts';
import type { Shape } from '../shape/shape.ts';
import { ExpressionError } from './complaints/expression-error.ts';
import { expressionsOf, type Place } from './expressions.ts';
import { toJson } from './language/results.ts';
import { itemShape } from './item-shape.ts';

/**
 * What an item is known by: the expression, else the channel of a stream and the id of everything else, of each account for itself
 * where several read.
 */
export function keyReader(
  source: string | undefined,
  { place, catalogue }: { readonly place: Place; readonly catalogue: Catalogue },
): (item: Item) => string | undefined {
  const { watch = '', byAccount } = place.names;
  const own = ownKey(itemShape(catalogue.get(watch)));
  const key = source ?? (byAccount ? `${own} == "" ? "" : item.account + "/" + ${own}` : own);
  return (item) => {
    try {
      return keyText(toJson(expressionsOf(catalogue).compile(key, place).run({ item })));
    } catch (error) {
      if (error instanceof ExpressionError) return undefined;
      throw error;
    }
  };
}

/** What a record is known by on its platform: a trend has its name and no id, figures have the post that they are of. */
function ownKey(shape: Shape): string {
  if (isBroadcast(shape)) return 'item.owner.id';
  const fields = shape.kind === 'record' ? ['id', 'name', 'postId'].filter((name) => shape.fields.has(name)) : [];
  return `item.${fields[0] ?? 'id'}`;
}

/** A channel that is live has somebody watching since some instant; no other record does. */
function isBroadcast(shape: Shape): boolean {
  return shape.kind === 'record' && ['owner', 'startedAt', 'viewerCount'].every((name) => shape.fields.has(name));
}

function keyText(key: Json | undefined): string | undefined {
  if (typeof key === 'number') return String(key);
  return typeof key === 'string' && key !== '' ? key : undefined;
}
