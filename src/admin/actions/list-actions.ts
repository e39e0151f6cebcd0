import { canonical, type JsonObject } from '#src/clients/operation/json.ts';
import { Refused } from '#src/errors.ts';
import { checkList } from '#src/rules/check/check-list.ts';
import { formatDiagnostic } from '#src/rules/diagnostic.ts';
import { EntryFields, MOST_ENTRIES } from '#src/rules/grammar/list-file.ts';
import type { ListEntry } from '#src/rules/lists.ts';
import type { Actor } from './actor.ts';
import type { AuditLog } from './audit-log.ts';
import { audited, type Act, type Performed } from './audited.ts';
import type { EntryStates, ListChange, ListEdit, ListRef, ListStore } from './list-store.ts';

/** What an action did to a list. */
export interface ListEdited extends ListRef {
  /** Undefined: there was nothing to change. */
  readonly change: ListChange | undefined;
  /** The named entries after the action, without removed ones. */
  readonly entries: readonly ListEntry[];
}

/** The actions on living lists. They throw a {@link Refused} with the reason. */
export interface ListActions {
  readonly addListEntries: Act<'addListEntries', ListEdited>;
  readonly changeListEntry: Act<'changeListEntry', ListEdited>;
  readonly removeListEntries: Act<'removeListEntries', ListEdited>;
  readonly importList: Act<'importList', ListEdited>;
  readonly undoListChange: Act<'undoListChange', ListEdited>;
}

export interface ListActionParts {
  readonly lists: Pick<ListStore, 'edit' | 'findChange'>;
  /** The names of the lists in files, which only their files change. */
  readonly fileLists: () => Promise<readonly string[]>;
  readonly auditLog: Pick<AuditLog, 'start' | 'end'>;
}

type Entries = ReadonlyMap<string, JsonObject>;

/** The actions on the lists of a store. */
export function createListActions({ lists, fileLists, auditLog }: ListActionParts): ListActions {
  async function edit(ref: ListRef, by: Actor, decide: (entries: Entries) => ListEdit): Promise<Performed<ListEdited>> {
    assertInScope(ref, by);
    if ((await fileLists()).includes(ref.list)) throw new Refused('fileList', `${ref.list} is a list in a file. Edit the file.`);
    let named: EntryStates = {};
    const change = await lists.edit(ref, by, (entries) => {
      const decided = decide(entries);
      named = decided.after;
      assertSize(entries, named);
      return decided;
    });
    const { list, server } = ref;
    const entries = Object.entries(named).flatMap(([id, fields]) => (fields ? [{ list, server, id, fields }] : []));
    const result = { list, server, change, entries };
    if (!change) return { result, outcome: 'unchanged' };
    return { result, outcome: 'done', after: { change: change.id, server, entries: Object.keys(change.after).length } };
  }

  return {
    addListEntries: audited('addListEntries', auditLog, ({ entries: added, ...ref }, by) =>
      edit(ref, by, (entries) => {
        const there = added.find(({ id }, index) => entries.has(id) || added.findIndex((one) => one.id === id) !== index);
        if (there) throw new Refused('entryExists', `The list ${ref.list} already has the entry ${there.id}.`);
        return { after: Object.fromEntries(added.map(({ id, fields }) => [id, fields])) };
      }),
    ),

    changeListEntry: audited('changeListEntry', auditLog, ({ entry, fields, ...ref }, by) =>
      edit(ref, by, (entries) => {
        const changed = Object.entries({ ...entryOf(entries, entry, ref), ...fields }).filter(([, value]) => value !== null);
        const read = EntryFields.safeParse(Object.fromEntries(changed));
        if (!read.success) throw new Refused('tooManyFields', `The entry ${entry} would have more fields than an entry can have.`);
        return { after: { [entry]: read.data } };
      }),
    ),

    removeListEntries: audited('removeListEntries', auditLog, ({ entries: removed, ...ref }, by) =>
      edit(ref, by, (entries) => {
        for (const id of removed) entryOf(entries, id, ref);
        return { after: Object.fromEntries(removed.map((id) => [id, null])) };
      }),
    ),

    importList: audited('importList', auditLog, ({ source, mode, ...ref }, by) => {
      const { entries: imported, diagnostics } = checkList({ file: `${ref.list}.yaml`, source });
      if (!imported) {
        const errors = diagnostics.filter(({ severity }) => severity === 'error').slice(0, 3);
        const texts = errors.map((error) => formatDiagnostic(error, { color: false }));
        throw new Refused('listHasErrors', `The list has errors. Nothing is imported.\n${texts.join('\n')}`);
      }
      return edit(ref, by, (entries) => {
        const removed = mode === 'replace' ? [...entries.keys()].filter((id) => !Object.hasOwn(imported, id)) : [];
        return { after: { ...Object.fromEntries(removed.map((id) => [id, null])), ...imported } };
      });
    }),

    undoListChange: audited('undoListChange', auditLog, async ({ change: id }, by) => {
      const change = await lists.findChange(id);
      // The lists of other servers are unknown to an actor of one server.
      if (!change || (by.scope && by.scope.server !== change.server))
        throw new Refused('changeNotFound', `There is no change ${id}, or it is older than two years.`);
      const { list, server, before, after } = change;
      return edit({ list, server }, by, (entries) => {
        for (const [entry, fields] of Object.entries(after)) {
          if (isState(entries.get(entry), fields)) continue;
          throw new Refused('entryChanged', `The entry ${entry} was changed since then. Take back the later change first.`);
        }
        return { after: before, undoes: id };
      });
    }),
  };
}

/** Throws if the actor belongs to a server, and the list does not. */
function assertInScope({ server }: Pick<ListRef, 'server'>, { scope }: Pick<Actor, 'scope'>): void {
  if (scope && scope.server !== server) throw new Refused('otherServer', 'You can change the lists of your Discord server only.');
}

function entryOf(entries: Entries, id: string, { list }: ListRef): JsonObject {
  const fields = entries.get(id);
  if (!fields) throw new Refused('entryNotFound', `The list ${list} has no entry ${id}.`);
  return fields;
}

function assertSize(entries: Entries, after: EntryStates): void {
  const ids = new Set(entries.keys());
  for (const [id, fields] of Object.entries(after)) {
    if (fields) ids.add(id);
    else ids.delete(id);
  }
  if (ids.size > MOST_ENTRIES && ids.size > entries.size)
    throw new Refused('listFull', `A list can have at most ${MOST_ENTRIES} entries; this one would have ${ids.size}.`);
}

function isState(now: JsonObject | undefined, then: JsonObject | null | undefined): boolean {
  return canonical(now ?? null) === canonical(then ?? null);
}
