import type { Catalogue } from '#src/operation/catalogue.ts';
import type { Json } from '#src/operation/json.ts';
import type { Item } from '../poll.ts';
import type { Shape } from '../shape/shape.ts';
import { ExpressionError } from './complaints/expression-error.ts';
import { expressionsOf, type Place } from './expressions.ts';
import { toJson } from './language/results.ts';
import { itemShape } from './scopes.ts';

/** What an item is known by: the expression, else the channel of a stream and the id of everything else. */
export function keyReader(
  source: string | undefined,
  { place, catalogue }: { readonly place: Place; readonly catalogue: Catalogue },
): (item: Item) => string | undefined {
  const key = source ?? (isBroadcast(itemShape(catalogue.get(place.names.watch ?? ''))) ? 'item.owner.id' : 'item.id');
  return (item) => {
    try {
      return keyText(toJson(expressionsOf(catalogue).compile(key, place).run({ item })));
    } catch (error) {
      if (error instanceof ExpressionError) return undefined;
      throw error;
    }
  };
}

/** A channel that is live has somebody watching since some instant; no other record does. */
function isBroadcast(shape: Shape): boolean {
  return shape.kind === 'record' && ['owner', 'startedAt', 'viewerCount'].every((name) => shape.fields.has(name));
}

function keyText(key: Json | undefined): string | undefined {
  if (typeof key === 'number') return String(key);
  return typeof key === 'string' && key !== '' ? key : undefined;
}
