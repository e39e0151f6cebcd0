import type { JsonObject } from '#src/clients/operation/json.ts';

/** The fields of items that a parameter selects by, by verb. A query that names users has another answer when such a field of one of them changes. */
const SELECTING: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map([
  ['streaming.getStreams', { games: 'game', languages: 'language' }],
]);

/** The fields of items by which the platform selects the items of a query. */
export function selectingFields({ verb, with: params }: { readonly verb: string; readonly with: JsonObject }): readonly string[] {
  const selecting = Object.entries(SELECTING.get(verb) ?? {});
  return selecting.flatMap(([parameter, field]) => (params[parameter] === undefined ? [] : [field]));
}
