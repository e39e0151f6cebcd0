import type { Rule } from '#src/rules/rule.ts';
import type { Need, PlannedPoll, Query } from './query.ts';
import { canonical, type JsonObject } from '#src/operation/json.ts';
import { namesIn, unionOf, type Union } from '#src/rules/named-users.ts';

/** Plans the fewest polls for all needs: equal queries once, lists of names united. */
export function planPolls(needs: readonly Need[]): readonly PlannedPoll[] {
  const groups = Map.groupBy(needs, sharedName);
  return [...groups.values()].map((group) => {
    const [first] = group;
    if (!first) throw new Error('a group of needs is never empty');
    return { ...unitedQuery(first, group), needs: group };
  });
}

/** A query for all names of `needs`. */
export function unitedQuery({ verb, account, params }: Query, needs: readonly Need[]): Query {
  const union = unionOf({ verb, params });
  if (!union) return { verb, account, params };
  const names = [...new Set(needs.flatMap((need) => namesIn(need.params, union)))];
  return { verb, account, params: unitedParams(params, union, names) };
}

/** The name of a query that only equal queries have. */
export function exactName({ verb, account, params }: Query): string {
  return canonical([verb, account, params]);
}

/** The parameters of the united query for all of `names`. */
function unitedParams(params: JsonObject, { parameter }: Union, names: readonly string[]): JsonObject {
  const [only] = names;
  // A query for one name keeps its form, so that an unknown name is an error and not an empty list.
  return { ...params, [parameter]: typeof params[parameter] === 'string' && names.length === 1 ? (only ?? '') : names };
}

/** The name of a query. Queries with the same name share one poll. */
export function sharedName(query: Query): string {
  const { verb, account, params } = query;
  const union = unionOf(query);
  return canonical([verb, account, union ? { ...params, [union.parameter]: undefined } : params]);
}

/** The queries of a rule, one per account; empty if it watches nothing. */
export function needsOf({ id, watched }: Rule): readonly Need[] {
  if (!watched) return [];
  const { verb, with: params, accounts } = watched;
  return accounts.map((account) => ({ rule: id, verb, account, params }));
}
