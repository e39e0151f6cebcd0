import { isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import { bareName } from '#src/clients/operation/parameters.ts';
import type { ListEntry } from '#src/rules/lists.ts';
import type { Item } from '#src/rules/poll.ts';
import { longHashes } from '#src/rules/short-hashes.ts';
import { distinctNames } from '#src/rules/named-users.ts';
import { keyOfEntry } from './entry-key.ts';
import type { EntryNames, People, PeopleIndex } from './people.ts';

/** The key of the item of a person; undefined for other items. */
export function keyOfPerson({ person }: Item, { list }: Pick<People, 'list'>): string | undefined {
  if (!isJsonObject(person) || typeof person['id'] !== 'string') return undefined;
  const { id, server } = person;
  return keyOfEntry({ list, server: typeof server === 'string' ? server : undefined, id });
}

/** What a rule remembers of an entry: it is new with another name. */
export function entryToken(key: string, account: string, name: string): string {
  return `${key} ${account} ${name}`;
}

/** An entry at an account, with its name in lower case and as the entry has it. */
interface NamedEntry {
  readonly entry: ListEntry;
  readonly account: string;
  readonly name: string;
  readonly asWritten: string;
}

/** Indexes the entries of a list for a rule. */
export function indexPeople(entries: readonly ListEntry[], people: People): PeopleIndex {
  const byName = new Map(Object.keys(people.platforms).map((account) => [account, new Map<string, ListEntry[]>()]));
  /** The names of each account, as the entries have them. */
  const written = new Map(Object.keys(people.platforms).map((account): [string, string[]] => [account, []]));
  /** Only some polls look for names by key: after a change of the list, and if an account could not be read. */
  let byKey: ReadonlyMap<string, ListEntry> | undefined;

  function* tokens(accept: (named: NamedEntry, token: string) => boolean): Generator<string> {
    for (const entry of entries) {
      const key = keyOfEntry(entry);
      for (const [account, asWritten] of writtenNames(entry, people.platforms)) {
        const name = asWritten.toLowerCase();
        const token = entryToken(key, account, name);
        if (accept({ entry, account, name, asWritten }, token)) yield token;
      }
    }
  }

  const hashes = longHashes(
    tokens(({ entry, account, name, asWritten }) => {
      written.get(account)?.push(asWritten);
      const named = byName.get(account);
      const others = named?.get(name);
      if (others) others.push(entry);
      else named?.set(name, [entry]);
      return true;
    }),
  );

  return {
    entries,
    names: Object.fromEntries([...written].map(([account, names]) => [account, distinctNames(names)])),
    hashes,
    entriesOf(account, owner) {
      const found = ownerNames(owner).flatMap((name) => byName.get(account)?.get(name) ?? []);
      // An entry may name a channel by its id and another one by its handle.
      return found.length > 1 ? [...new Set(found)] : found;
    },
    namesOf(key) {
      byKey ??= new Map(entries.map((entry) => [keyOfEntry(entry), entry]));
      const entry = byKey.get(key);
      return entry && entryNames(entry, people.platforms);
    },
    hashesRead: (isRead, known) => longHashes(tokens(({ account, name }, token) => isRead(account, name) || known(token))),
  };
}

/** The names of a channel, in lower case. */
export function ownerNames(owner: Json | undefined): readonly string[] {
  if (!isJsonObject(owner)) return [];
  return [owner['id'], owner['handle']].flatMap((name) => (typeof name === 'string' ? [name.toLowerCase()] : []));
}

/** The names of an entry at each account, in lower case. */
export function entryNames(entry: Pick<ListEntry, 'id' | 'fields'>, platforms: People['platforms']): EntryNames {
  return Object.fromEntries(writtenNames(entry, platforms).map(([account, name]) => [account, [name.toLowerCase()]]));
}

/**
 * The name of an entry at each account, with its capitals: the id on its platform, else the handle, which the field of the account or of its platform has. The
 * first account reads the id of the entry, unless the entry has that name elsewhere.
 */
function writtenNames(
  { id, fields }: Pick<ListEntry, 'id' | 'fields'>,
  platforms: People['platforms'],
): readonly (readonly [account: string, name: string])[] {
  const { userIds } = fields;
  const ids = isJsonObject(userIds) ? userIds : {};
  const accounts = Object.entries(platforms);
  const named = accounts.map(([account, platform]) => [account, nameIn(ids, platform) ?? handleIn(fields, account, platform)] as const);
  const [first] = named;
  const own = bareName(id);
  const isElsewhere = Object.keys(ids).length > 0 || named.some(([, name]) => name?.toLowerCase() === own.toLowerCase());
  return named.flatMap(([account, name]) => {
    const read = name ?? (account === first?.[0] && !isElsewhere ? own : '');
    return read === '' ? [] : [[account, read] as const];
  });
}

function handleIn(fields: JsonObject, account: string, platform: string): string | undefined {
  return nameIn(fields, account) ?? nameIn(fields, platform);
}

/** A name. An empty text is a name that no one has, so that an entry can leave out the first platform. */
function nameIn(fields: JsonObject, field: string): string | undefined {
  const value = Object.hasOwn(fields, field) ? fields[field] : undefined;
  return typeof value === 'string' ? bareName(value.trim()) : typeof value === 'number' ? String(value) : undefined;
}
