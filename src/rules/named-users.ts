import { isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import { bareName } from '#src/clients/operation/parameters.ts';
import type { Item } from './poll.ts';

/** A parameter that names users. Queries that differ only in this parameter unite. */
export interface Union {
  readonly parameter: string;
  readonly userOf: (item: Item) => Json | undefined;
  /** Whether every existing name has an item. */
  readonly hasEvery: boolean;
  /** Whether a name of digits can be a handle. */
  readonly digitsAreHandles: boolean;
}

/** The operations whose queries unite, by verb. */
const UNIONS = new Map<string, Union>([
  ['streaming.getStreams', { parameter: 'users', userOf: ({ owner }) => owner, hasEvery: false, digitsAreHandles: false }],
  ['social.getUserInfo', { parameter: 'user', userOf: (user) => user, hasEvery: true, digitsAreHandles: true }],
]);

/** How a query unites with others; undefined if only an equal query can share it. */
export function unionOf({ verb, params }: { readonly verb: string; readonly params: JsonObject }): Union | undefined {
  const union = UNIONS.get(verb);
  return union && namesOf(params[union.parameter]) ? union : undefined;
}

/** The names in a query, in lower case. */
export function namesIn(params: JsonObject, { parameter }: Union): readonly string[] {
  return namesOf(params[parameter])?.map((name) => bareName(name).toLowerCase()) ?? [];
}

/** The names in a query with their capitals, each once. */
export function writtenNamesIn(params: JsonObject, { parameter }: Union): readonly string[] {
  return distinctNames(namesOf(params[parameter])?.map(bareName) ?? []);
}

/** The names without those that differ in case only. A spelling with capitals is kept, because the ids of YouTube have some. */
export function distinctNames(names: readonly string[]): readonly string[] {
  const spellings = new Map<string, string>();
  for (const name of names) {
    const key = name.toLowerCase();
    if ((spellings.get(key) ?? key) === key) spellings.set(key, name);
  }
  return [...spellings.values()];
}

/** The names of the user of an item, in lower case: its id and its handle. */
export function namesOfUser(item: Item, { userOf }: Union): readonly string[] {
  const user = userOf(item);
  if (!isJsonObject(user)) return [];
  return [user['id'], user['handle']].flatMap((name) => (typeof name === 'string' ? [name.toLowerCase()] : []));
}

function namesOf(value: Json | undefined): readonly string[] | undefined {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) && value.every((name) => typeof name === 'string') ? value : undefined;
}
