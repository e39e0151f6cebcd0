import type { z } from 'zod';
import type { ChangeFilter, ListChange, ListRef, ListStore } from '#src/admin/actions/list-store.ts';
import { conflicts } from '#src/admin/lists/list-source.ts';
import { listYaml } from '#src/admin/lists/list-yaml.ts';
import type { Listing } from '#src/clients/operation/listing.ts';
import type { FileList, ListFolder } from '#src/engine/lists/list-folder.ts';
import type { ListEntry } from '#src/rules/lists.ts';
import type { ListAnswer, ListSummaryAnswer } from './list-answers.ts';

/** Stands for a server in a filter that finds only lists of the installation. */
export const INSTALLATION = 'installation';

type ListSummary = z.output<typeof ListSummaryAnswer>;
interface ListView extends Omit<z.output<typeof ListAnswer>, 'entries'> {
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
  async function inFiles(living: readonly ListRef[]): Promise<readonly ListView[]> {
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

function sourceView({ verb, account, params, readAt, problem }: NonNullable<FileList['source']>): NonNullable<ListView['source']> {
  return { watch: verb, account, with: params, readAt, problem };
}
