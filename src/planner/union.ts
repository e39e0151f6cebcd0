import { bareName } from '#src/operation/id.ts';
import { canonical, isJsonObject, type Json, type JsonObject } from '#src/operation/json.ts';
import type { Item } from '#src/rules/poll.ts';
import type { Query } from './query.ts';

/** A parameter that says who is looked at: queries that differ in nothing else are one query for all of them. */
export interface Union {
  readonly parameter: string;
  /** What an item of the answer may have been asked for by, in lower case. */
  namesOf(item: Item): readonly string[];
}

/** The operations whose queries unite, by verb. */
const UNIONS = new Map<string, Union>([
  ['streaming.getStreams', { parameter: 'users', namesOf: ({ owner }) => userNames(owner) }],
  ['social.getUserInfo', { parameter: 'user', namesOf: userNames }],
]);

/** How `query` unites with others; undefined where it can only be shared as it is. */
export function unionOf({ verb, params }: Query): Union | undefined {
  const union = UNIONS.get(verb);
  return union && namesOf(params[union.parameter]) ? union : undefined;
}

/** Whom a query of `union` names, in lower case. */
export function namesIn(params: JsonObject, { parameter }: Union): readonly string[] {
  return namesOf(params[parameter])?.map((name) => bareName(name).toLowerCase()) ?? [];
}

/** The parameters of the one query for all of `names`; `params` are those of any of the queries that it stands for. */
export function unitedParams(params: JsonObject, { parameter }: Union, names: readonly string[]): JsonObject {
  const [only] = names;
  // Who alone is asked for is asked for as their rule does it: one that is not there is then no empty list.
  return { ...params, [parameter]: typeof params[parameter] === 'string' && names.length === 1 ? (only ?? '') : names };
}

/** The same for all queries that may be sent as one. */
export function sharedName(query: Query): string {
  const { verb, account, params } = query;
  const union = unionOf(query);
  return canonical([verb, account, union ? { ...params, [union.parameter]: undefined } : params]);
}

function userNames(user: Json | undefined): readonly string[] {
  if (!isJsonObject(user)) return [];
  const { id, handle } = user;
  return [id, handle].filter((name) => typeof name === 'string').map((name) => name.toLowerCase());
}

function namesOf(value: Json | undefined): readonly string[] | undefined {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) && value.every((name) => typeof name === 'string') ? value : undefined;
}
