import type { ChangeFilter, ListChange, ListRef, ListStore } from '#src/admin/actions/list-store.ts';
import { conflicts } from '#src/admin/lists/list-source.ts';
import { listYaml } from '#src/admin/lists/list-yaml.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Listing } from '#src/clients/operation/listing.ts';
import type { FileList, ListFolder, SourceStatus } from '#src/engine/lists/list-folder.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import type { ListEntry } from '#src/rules/lists.ts';

/** Stands for a server in a filter that finds only lists of the installation. */
export const INSTALLATION = 'installation';

/** The source of a list. */
interface ListSourceView extends Partial<SourceStatus> {
  /** The operation that reads its people. */
  readonly watch: string;
  readonly account: string;
  readonly with: JsonObject;
}

/** A list without its entries. */
interface ListSummary extends ListRef {
  /** `file`: only its file changes it. `living`: people edit it. */
  readonly kind: 'file' | 'living';
  /** The number of entries. */
  readonly entries: number;
  readonly file?: string | undefined;
  /** The source of further entries. */
  readonly source?: ListSourceView | undefined;
  /** The errors and warnings of the file. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A list with its entries. */
interface ListView extends Omit<ListSummary, 'entries'> {
  /** Ordered by id. */
  readonly entries: readonly ListEntry[];
}

/** What people read of lists. */
export interface ListQueries {
  /** All lists, by name and server. */
  lists(): Promise<readonly ListSummary[]>;
  /** Undefined: there is no such list. */
  list(ref: ListRef): Promise<ListView | undefined>;
  /** The changes of living lists, newest first. The server can be {@link INSTALLATION}. */
  changes(filter: ChangeFilter): Promise<Listing<ListChange>>;
  /** Undefined: there is no such change. */
  findChange(id: string): Promise<ListChange | undefined>;
  /** The list as YAML, which `importList` and list files read. Undefined: there is no such list. */
  export(ref: ListRef): Promise<string | undefined>;
}

export interface ListQueryParts {
  readonly lists: Pick<ListStore, 'read' | 'entries' | 'changes' | 'findChange'>;
  readonly folder: ListFolder;
}

export function createListQueries({ lists, folder }: ListQueryParts): ListQueries {
  async function inFiles(
    living: readonly ListRef[],
  ): Promise<readonly (Omit<ListView, 'entries'> & { readonly entries: readonly ListEntry[] })[]> {
    const files = await folder.read();
    const overlapping = conflicts(files, living);
    return [...files.lists.values()].map(({ name, file, entries = [], source, diagnostics }) => ({
      list: name,
      server: undefined,
      kind: 'file',
      file,
      entries,
      ...(source && { source: sourceView(source) }),
      diagnostics: [...diagnostics, ...overlapping.filter((one) => one.file === file)],
    }));
  }

  async function list(ref: ListRef): Promise<ListView | undefined> {
    const living = await lists.entries(ref);
    const { list: name, server } = ref;
    if (living) {
      const entries = [...living].map(([id, fields]) => ({ id, list: name, server, fields }));
      return { list: name, server, kind: 'living', entries, diagnostics: [] };
    }
    return server === undefined ? (await inFiles([])).find((one) => one.list === name) : undefined;
  }

  return {
    list,

    async lists() {
      const { lists: living, entries } = await lists.read();
      const counts = Map.groupBy(entries, keyOf);
      const summaries = living.map((ref): ListSummary => ({
        ...ref,
        kind: 'living',
        entries: counts.get(keyOf(ref))?.length ?? 0,
        diagnostics: [],
      }));
      const files = (await inFiles(living)).map((one): ListSummary => ({ ...one, entries: one.entries.length }));
      return [...summaries, ...files].toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    },

    findChange: (id) => lists.findChange(id),

    changes: ({ server, ...filter }) => lists.changes({ ...filter, server: server === INSTALLATION ? '' : server }),

    async export(ref) {
      const found = await list(ref);
      return found && listYaml(found.entries.map(({ id, fields }) => [id, fields]));
    },
  };
}

function keyOf({ list, server = '' }: ListRef): string {
  return `${list}\0${server}`;
}

function sourceView({ verb, account, params, readAt, problem }: NonNullable<FileList['source']>): ListSourceView {
  return { watch: verb, account, with: params, readAt, problem };
}
