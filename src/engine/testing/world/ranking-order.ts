import type { Catalogue } from '#src/clients/operation/declared.ts';
import type { Json, JsonObject } from '#src/clients/operation/json.ts';
import type { Watched } from '#src/rules/rule.ts';

/** Two written items that no platform lists in this order; undefined: the order is possible. Only written numbers count. */
export function rankingFault(
  { verb, with: params, accounts }: Pick<Watched, 'verb' | 'with' | 'accounts'>,
  items: readonly JsonObject[],
  catalogue: Catalogue,
): string | undefined {
  const declared = catalogue.get(verb);
  const field = declared?.kind === 'list' ? declared.rankedBy : undefined;
  const sort = params['sort'] ?? 'VIEWER_COUNT';
  if (field === undefined || sort !== 'VIEWER_COUNT') return undefined;
  // The items of each account have an order of their platform.
  const least = new Map<Json | undefined, { readonly index: number; readonly value: number }>();
  for (const [index, item] of items.entries()) {
    const { [field]: value, account = accounts[0] } = item;
    if (typeof value !== 'number') continue;
    const before = least.get(account);
    if (before && value > before.value)
      return `items[${index}] has a greater ${field} than items[${before.index}]: ${verb} lists the greatest ${field} first, so write it before items[${before.index}]`;
    least.set(account, { index, value });
  }
  return undefined;
}
