import type { NamesByAccount } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { Need, PlannedPoll, Query } from './query.ts';
import { canonical, type JsonObject } from '#src/clients/operation/json.ts';
import { distinctNames, unionOf, writtenNamesIn, type Union } from '#src/rules/named-users.ts';
import { parametersOf } from '#src/rules/people/people.ts';

/** Merges the queries of all rules into the fewest polls: equal queries once, lists of names joined. */
export function mergeQueries(needs: readonly Need[]): readonly PlannedPoll[] {
  const groups = Map.groupBy(needs, mergeKey);
  return [...groups.values()].map((group) => {
    const [first] = group;
    if (!first) throw new Error('a group of needs is never empty');
    return { ...mergedQuery(first, group), needs: group };
  });
}

/** A query for all names of `needs`. */
export function mergedQuery({ verb, account, params }: Query, needs: readonly Need[]): Query {
  const union = unionOf({ verb, params });
  if (!union) return { verb, account, params };
  const names = distinctNames(needs.flatMap((need) => writtenNamesIn(need.params, union)));
  return { verb, account, params: mergedParams(params, union, names) };
}

/** A key that is the same for queries with the same operation, account and parameters. */
export function equalKey({ verb, account, params }: Query): string {
  return canonical([verb, account, params]);
}

/** The parameters of the merged query for all of `names`. */
function mergedParams(params: JsonObject, { parameter }: Union, names: readonly string[]): JsonObject {
  const [only] = names;
  // A query for one name keeps its form, so that an unknown name is an error and not an empty list.
  return { ...params, [parameter]: typeof params[parameter] === 'string' && names.length === 1 ? (only ?? '') : names };
}

/** A key that is the same for queries that one poll can serve, even if they name other users. */
export function mergeKey(query: Query): string {
  const { verb, account, params } = query;
  const union = unionOf(query);
  return canonical([verb, account, union ? { ...params, [union.parameter]: undefined } : params]);
}

/** Whether the names in a query are an empty list, so that no request is needed. */
function namesNoOne(verb: string, params: JsonObject): boolean {
  const union = unionOf({ verb, params });
  const names = union && params[union.parameter];
  return Array.isArray(names) && names.length === 0;
}

/** Whether a query names several users, and each existing one has a record. */
function namesSeveral(verb: string, params: JsonObject): boolean {
  const union = unionOf({ verb, params });
  return union?.hasEvery === true && writtenNamesIn(params, union).length > 1;
}

/** The queries of a rule, one per account, for all of its names or those of `asked`; none if it watches nothing, or no one. */
export function queriesOf({ id, watched }: Rule, asked?: NamesByAccount): readonly Need[] {
  if (!watched) return [];
  const { verb, accounts, people, kind } = watched;
  const needs = accounts.map((account): Need => {
    const all = parametersOf(watched, account);
    const union = asked && unionOf({ verb, params: all });
    const params = union ? { ...all, [union.parameter]: askedNames(all, union, asked[account]) } : all;
    // One unknown user must not stop the rule for the others.
    const isPartial = people !== undefined || (kind === 'one' && namesSeveral(verb, params));
    return isPartial ? { rule: id, verb, account, params, isPartial } : { rule: id, verb, account, params };
  });
  return needs.filter(({ params: sent }) => !namesNoOne(verb, sent));
}

/** The names of a query that are asked for, with their capitals. */
function askedNames(params: JsonObject, union: Union, asked: readonly string[] = []): readonly string[] {
  const wanted = new Set(asked);
  return writtenNamesIn(params, union).filter((name) => wanted.has(name.toLowerCase()));
}
