import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject } from '#src/clients/operation/json.ts';
import type { ListEntry, Lists } from '#src/rules/lists.ts';

/** The lists of a test, by name: entries by id, or, for several servers, a list of entries with `id` and `server`. */
export type TestLists = Readonly<Record<string, JsonObject | readonly JsonObject[]>>;

/** The lists of a test, as a poll reads them. */
export function readTestLists(lists: TestLists): Lists {
  const entries = new Map(Object.entries(lists).map(([list, written]) => [list, entriesOf(list, written).toSorted(byServerAndId)]));
  return {
    revision: createHash('sha256').update(JSON.stringify(lists)).digest('hex'),
    entries: (list) => entries.get(list) ?? [],
    names: () => [...entries.keys()],
  };
}

function entriesOf(list: string, written: TestLists[string]): readonly ListEntry[] {
  if (!isList(written)) {
    return Object.entries(written).map(([id, fields]) => ({ id, list, server: undefined, fields: isJsonObject(fields) ? fields : {} }));
  }
  return written.map(({ id, server, ...fields }) => ({
    id: typeof id === 'string' ? id : '',
    list,
    server: typeof server === 'string' ? server : undefined,
    fields,
  }));
}

function isList(written: TestLists[string]): written is readonly JsonObject[] {
  return Array.isArray(written);
}

/** The order of the lists of an installation, whatever the order in the test. */
function byServerAndId(a: ListEntry, b: ListEntry): number {
  const [first, second] = a.server === b.server ? [a.id, b.id] : [a.server ?? '', b.server ?? ''];
  return first < second ? -1 : 1;
}
