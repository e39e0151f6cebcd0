import { canonical } from '#src/clients/operation/json.ts';
import { bareName } from '#src/clients/operation/parameters.ts';
import { hash } from '#src/rules/firing.ts';
import type { ListEntry, PeopleSource } from '#src/rules/lists.ts';
import type { FileList, FileLists, ListFolder, SourceStatus } from './list-folder.ts';

/** A person of a source: an entry without its list. */
export type SourcedPerson = Pick<ListEntry, 'id' | 'fields'>;

/** A source in the store, without its people. */
export interface StoredSource extends SourceStatus {
  /** When it is read next. */
  readonly dueAt: Date;
}

/** Stores the people of sources, so that a failed read and a restart keep them. All processes of a database share them. */
export interface SourceStore {
  load(keys: readonly string[]): Promise<ReadonlyMap<string, StoredSource>>;
  /** The people of the last whole read, by id. */
  people(key: string): Promise<readonly SourcedPerson[]>;
  /**
   * Whether this process reads the source now: at most one process, if the source is due, or due in more than `mostMs`, because the clock was set
   * back. It is due again in `forMs`.
   */
  claim(key: string, wait: { readonly forMs: number; readonly mostMs: number }): Promise<boolean>;
  /** Replaces the people. The next read is in `nextMs`. */
  keep(key: string, people: readonly SourcedPerson[], nextMs: number): Promise<void>;
  /** Notes why a read failed. The people stay. */
  fail(key: string, problem: string): Promise<void>;
}

/** Identifies a source. Lists with the same source share its people. */
export function keyOfSource({ verb, account, platform, params }: PeopleSource): string {
  return hash(verb, account, platform, canonical(params));
}

/** The lists of a folder with the people of their sources. It sends no request. */
export function withSources(folder: ListFolder, store: Pick<SourceStore, 'load' | 'people'>): ListFolder {
  let last: { readonly of: FileLists; readonly stamp: string; readonly lists: FileLists } | undefined;
  const people = new Map<string, { readonly readMs: number; readonly people: readonly SourcedPerson[] }>();

  async function peopleOf(key: string, { readAt }: SourceStatus): Promise<readonly SourcedPerson[]> {
    if (!readAt) return [];
    const known = people.get(key);
    if (known?.readMs === readAt.getTime()) return known.people;
    const read = await store.people(key);
    people.set(key, { readMs: readAt.getTime(), people: read });
    return read;
  }

  async function sourced(list: FileList, stored: ReadonlyMap<string, StoredSource>): Promise<FileList> {
    const { source, entries } = list;
    const key = source && keyOfSource(source);
    const status = key === undefined ? undefined : stored.get(key);
    if (!source || !entries || key === undefined || !status) return list;
    const { readAt, problem } = status;
    return { ...list, source: { ...source, readAt, problem }, entries: merged(list.name, entries, await peopleOf(key, status)) };
  }

  return {
    async read() {
      const of = await folder.read();
      const keys = [...of.lists.values()].flatMap(({ source }) => (source ? [keyOfSource(source)] : []));
      const stored = keys.length === 0 ? new Map<string, StoredSource>() : await store.load(keys);
      const stamp = JSON.stringify(keys.map((key) => [key, stored.get(key)?.readAt, stored.get(key)?.problem]));
      if (last?.of === of && last.stamp === stamp) return last.lists;
      const lists = await Promise.all([...of.lists].map(async ([name, list]) => [name, await sourced(list, stored)] as const));
      last = { of, stamp, lists: { ...of, lists: new Map(lists), revision: hash(of.revision, stamp) } };
      return last.lists;
    },
  };
}

/** The people of a source and the entries of the file, whose fields win. People often write a handle with other capitals than the platform. */
function merged(list: string, entries: readonly ListEntry[], people: readonly SourcedPerson[]): readonly ListEntry[] {
  const byId = new Map<string, ListEntry>(
    people.map(({ id, fields }) => [id, { id, list, server: undefined, fields, isFromSource: true }]),
  );
  const ids = new Map(people.map(({ id }) => [bareName(id).toLowerCase(), id]));
  for (const entry of entries) {
    const id = byId.has(entry.id) ? entry.id : (ids.get(bareName(entry.id).toLowerCase()) ?? entry.id);
    const person = byId.get(id);
    byId.set(id, person ? { ...person, fields: { ...person.fields, ...entry.fields } } : entry);
  }
  return [...byId.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
