import type { ListChange, ListRef } from '#src/admin/actions/list-store.ts';
import { INSTALLATION, type ListQueries } from '#src/admin/queries/lists.ts';

type ListView = NonNullable<Awaited<ReturnType<ListQueries['list']>>>;

/** The queries of some lists. */
export function fakeLists(all: readonly ListView[], changes: readonly ListChange[] = []): ListQueries {
  const find = ({ list, server }: ListRef) => all.find((one) => one.list === list && one.server === server);
  return {
    lists: () => Promise.resolve(all.map((one) => ({ ...one, entries: one.entries.length }))),
    list: (ref) => Promise.resolve(find(ref)),
    changes: ({ list, server, limit }) => {
      const found = changes.filter((one) => list === undefined || one.list === list);
      return Promise.resolve({
        items: found.filter((one) => server === undefined || (one.server ?? INSTALLATION) === server).slice(0, limit),
      });
    },
    findChange: (id) => Promise.resolve(changes.find((one) => one.id === id)),
    export: (ref) => Promise.resolve(find(ref) && ''),
  };
}

/** A list that people edit, with these entries. */
export function livingList(
  list: string,
  entries: Readonly<Record<string, ListView['entries'][number]['fields']>>,
  server?: string,
): ListView {
  return {
    list,
    server,
    kind: 'living',
    diagnostics: [],
    entries: Object.entries(entries).map(([id, fields]) => ({ id, list, server, fields })),
  };
}
