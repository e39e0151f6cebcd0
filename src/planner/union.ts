import { canonical, isJsonObject, type JsonObject } from '#src/operation/json.ts';
import type { Item } from '#src/rules/poll.ts';
import type { Query } from './query.ts';

/** A parameter that lists who is looked at: queries that differ in nothing else are one query for all of them. */
export interface Union {
  readonly parameter: string;
  /** What an item of the answer may have been asked for by, in lower case. */
  namesOf(item: Item): readonly string[];
}

/** The operations whose queries unite, by verb. */
const UNIONS: ReadonlyMap<string, Union> = new Map([['streaming.getStreams', { parameter: 'users', namesOf: ownerNames }]]);

/** How `query` unites with others; undefined where it can only be shared as it is. */
export function unionOf({ verb, params }: Query): Union | undefined {
  const union = UNIONS.get(verb);
  return union && isNames(params[union.parameter]) ? union : undefined;
}

/** Whom a query of `union` names, in lower case. */
export function namesIn(params: JsonObject, { parameter }: Union): readonly string[] {
  const names = params[parameter];
  return isNames(names) ? names.map((name) => name.toLowerCase()) : [];
}

/** The same for all queries that may be sent as one. */
export function sharedName(query: Query): string {
  const { verb, account, params } = query;
  const union = unionOf(query);
  return canonical([verb, account, union ? { ...params, [union.parameter]: undefined } : params]);
}

function ownerNames({ owner }: Item): readonly string[] {
  if (!isJsonObject(owner)) return [];
  const { id, handle } = owner;
  return [id, handle].filter((name) => typeof name === 'string').map((name) => name.toLowerCase());
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}
