import type { FileList, FileLists } from '#src/engine/lists/list-folder.ts';
import { fieldsOfEntries, withOtherFields, type ListFields, type ListShapes } from '#src/rules/expression/list-shapes.ts';
import { FOLLOWED } from '#src/rules/lists.ts';

/** Lists that exist before their first entry. */
const ALWAYS = [FOLLOWED];

/** The lists that rules can name: those of files with the types of their fields, and living ones with any fields. */
export function knownLists({ lists }: FileLists, living: Iterable<string>): ListShapes {
  const files = [...lists.values()].map((list) => [list.name, fieldsOf(list)] as const);
  return Object.fromEntries([...files, ...[...ALWAYS.filter((name) => !lists.has(name)), ...living].map((name) => [name, null] as const)]);
}

/** The people of a source have their handle, even before they are read. */
function fieldsOf({ name, entries, source }: FileList): ListFields {
  if (!entries) return null;
  if (!source) return fieldsOfEntries(entries);
  const person = { id: '', list: name, server: undefined, fields: { [source.platform]: '' } };
  return withOtherFields(fieldsOfEntries([...entries, person]));
}
