import type { Json, JsonObject } from '#src/clients/operation/json.ts';
import type { ListEntry } from '#src/rules/lists.ts';

/** The list whose entries a rule watches: the people of `when.people`. */
export interface People {
  readonly list: string;
  /** The platforms of the accounts that read, by account. The first account reads ids of entries that name no other handle. */
  readonly platforms: Readonly<Record<string, string>>;
}

/** The names of an entry at the accounts of a rule, in lower case. */
export type EntryNames = Readonly<Record<string, readonly string[]>>;

/** The entries of a list at one moment, by the names that the accounts of a rule read. */
export interface PeopleIndex {
  readonly entries: readonly ListEntry[];
  /** The names that an account reads, each once, with their capitals: the ids of YouTube need them. */
  readonly names: Readonly<Record<string, readonly string[]>>;
  /** Hashes of all entries with their names, to recognize new ones after a change of the list. */
  readonly hashes: string;
  /** The entries of the channel of an item that `account` read. */
  entriesOf(account: string, owner: Json | undefined): readonly ListEntry[];
  /** The names of an entry, by account; undefined: the list has no such entry. */
  namesOf(key: string): EntryNames | undefined;
  /** The hashes without those of the names that could not be read, except for names in `known`. */
  hashesRead(isRead: (account: string, name: string) => boolean, known: (token: string) => boolean): string;
}

/** The parameters with which an account reads a list. Before the first poll, no names are known. */
export function parametersOf(
  { with: params, people }: { readonly with: JsonObject; readonly people?: { readonly index?: PeopleIndex | undefined } | undefined },
  account: string,
): JsonObject {
  return people ? { ...params, users: people.index?.names[account] ?? [] } : params;
}
