import type { JsonObject } from '#src/clients/operation/json.ts';
import type { ListEntry, Lists } from '#src/rules/lists.ts';
import type { Field, RecordShape } from '#src/rules/shape/shape.ts';
import { shapeOfValues } from '#src/rules/shape/value-shape.ts';

/**
 * The kinds of the fields of a list, by name; null: the fields can change at any time, because people edit the list. With `OTHER_FIELDS`,
 * entries can have other fields.
 */
export type ListFields = Readonly<Record<string, 'text' | 'whole' | 'number' | 'flag' | 'anything'>> | null;

/** Stands for fields that no entry has yet. It is the name of no field. */
const OTHER_FIELDS = '*';

/** The lists that expressions can read, by name. */
export type ListShapes = Readonly<Record<string, ListFields>>;

/** Whether a rule text reads lists. It may do so in a comment or a text only. */
export function mentionsLists(source: string): boolean {
  return /\blists\s*(?:\.|\[)/u.test(source);
}

/** Whether the check of a rule text may have another result after a change of the lists. */
export function dependsOnLists(source: string): boolean {
  return mentionsLists(source) || /\bpeople\s*:/u.test(source);
}

/** The names after `lists.` in a text. */
export function listsIn(source: string): readonly string[] {
  return [...new Set([...source.matchAll(/\blists\s*(?:\.\s*\??|\[\s*\??\s*["'])([a-z]\w*)/gu)].flatMap(([, name]) => name ?? []))];
}

/** The kinds of the fields of entries. An empty list says nothing about its next entries. */
export function fieldsOfEntries(entries: readonly ListEntry[]): ListFields {
  if (entries.length === 0) return null;
  const names = new Set(entries.flatMap(({ fields }) => Object.keys(fields)));
  return Object.fromEntries(
    [...names].toSorted().map((name) => {
      const { kind } = shapeOfValues(entries.flatMap(({ fields }) => (fields[name] === undefined ? [] : [fields[name]])));
      return [name, kind === 'text' || kind === 'whole' || kind === 'number' || kind === 'flag' ? kind : 'anything'];
    }),
  );
}

/** The kinds of the fields of a list with a source: the rule comes first, and the fields of single people later. */
export function withOtherFields(fields: ListFields): ListFields {
  return fields && { ...fields, [OTHER_FIELDS]: 'anything' };
}

/** The shape of `lists`. */
export function shapeOfLists(lists: ListShapes): RecordShape {
  const fields = Object.entries(lists).map(([name, of]): [string, Field] => {
    return [name, { shape: { kind: 'list', of: of && !isOpen(of) ? entryShape(of) : personShape(of ?? undefined) }, optional: false }];
  });
  return { kind: 'record', fields: new Map(fields) };
}

/** Whether entries can have other fields. */
function isOpen(fields: ListFields | undefined): boolean {
  return !fields || OTHER_FIELDS in fields;
}

function entryShape(fields: NonNullable<ListFields>): RecordShape {
  const { [OTHER_FIELDS]: _, ...named } = fields;
  const all = Object.entries(named).map(([name, kind]): [string, Field] => [name, { shape: { kind }, optional: true }]);
  const text: Field = { shape: { kind: 'text' }, optional: false };
  return { kind: 'record', fields: new Map([['id', text], ['server', { ...text, optional: true }], ...all]) };
}

/** The shape of `item.person`. Undefined: the fields of the list are unknown. */
export function personShape(fields: NonNullable<ListFields> | undefined): RecordShape {
  return { ...entryShape(fields ?? {}), entry: isOpen(fields) ? 'open' : 'closed' };
}

/** The value of `lists` with these lists. */
export function listValues(names: readonly string[], lists: Lists): JsonObject {
  return Object.fromEntries(names.map((name) => [name, lists.entries(name).map(personOf)]));
}

/** An entry as expressions see it, also as `item.person`. */
export function personOf({ id, server, fields }: ListEntry): JsonObject {
  return { ...fields, id, ...(server !== undefined && { server }) };
}
