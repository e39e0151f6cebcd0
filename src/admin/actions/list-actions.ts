import { canonical, isJsonObject, type JsonObject } from '#src/clients/operation/json.ts';
import { Refused } from '#src/errors.ts';
import { checkList } from '#src/rules/check/check-list.ts';
import { diagnosticText } from '#src/rules/diagnostic.ts';
import { EntryFields, MOST_ENTRIES } from '#src/rules/grammar/list-file.ts';
import { rulesReading } from '#src/rules/rules-reading.ts';
import { FOLLOWED, type ListEntry } from '#src/rules/lists.ts';
import { sharesAccount } from '#src/rules/people/entry-account.ts';
import { followedMistakes, formatFollowedMistake, withTexts } from '#src/rules/people/followed-fields.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { Actor } from './actor.ts';
import type { AuditLog } from './audit-log.ts';
import type { ActionInput } from './declarations.ts';
import { audited, type Act, type Performed } from './audited.ts';
import type { EntryStates, ListChange, ListEdit, ListRef, ListStore } from './list-store.ts';

/** What an action did to a list. */
export interface ListEdited extends ListRef {
  /** Undefined: there was nothing to change. */
  readonly change: ListChange | undefined;
  /** The named entries after the action, without removed ones. */
  readonly entries: readonly ListEntry[];
  /** Absent: the list existed before the action. */
  readonly created?: true | undefined;
}

/** The actions on living lists. They throw a {@link Refused} with the reason. */
export interface ListActions {
  readonly addListEntries: Act<'addListEntries', ListEdited>;
  readonly changeListEntry: Act<'changeListEntry', ListEdited>;
  readonly removeListEntries: Act<'removeListEntries', ListEdited>;
  readonly importList: Act<'importList', ListEdited>;
  readonly deleteList: Act<'deleteList', ListEdited>;
  readonly undoListChange: Act<'undoListChange', ListEdited>;
}

export interface ListActionParts {
  readonly lists: Pick<ListStore, 'named' | 'edit' | 'remove' | 'findChange' | 'changes'>;
  /** The lists in files, which only their files change. */
  readonly fileLists: () => Promise<ReadonlyMap<string, { readonly file: string }>>;
  /** The loaded rules. */
  readonly rules: () => readonly Rule[];
  readonly auditLog: Pick<AuditLog, 'start' | 'end'>;
}

/** How many changed entries the log of actions names. */
const MOST_LOGGED = 10;

/** How many changes after an undone one are searched for its accounts. */
const MOST_LATER = 100;

type Entries = ReadonlyMap<string, JsonObject>;

/** The actions on the lists of a store. */
export function createListActions({ lists, fileLists, rules, auditLog }: ListActionParts): ListActions {
  /** Throws if only a file has the list. Beside a living list of its name, a file is ignored. */
  async function assertNotInFile({ list }: ListRef): Promise<void> {
    if ((await lists.named(list)).length > 0) return;
    const inFile = (await fileLists()).get(list);
    if (inFile) throw new Refused('fileList', `${list} is a list in a file. Edit the file ${inFile.file}.`);
  }

  /** Throws if rules read a list, and no file and no other server has a list of its name. */
  async function assertNotNeeded({ list, server }: ListRef): Promise<void> {
    const readers = rulesReading(list, rules());
    if (readers.length === 0 || (await fileLists()).has(list)) return;
    if ((await lists.named(list)).some((other) => other.server !== server)) return;
    throw new Refused('listInUse', `Rules read the list ${list}: ${namesOf(readers)}. Change or delete these rules first.`);
  }

  /** The entries that people added after a change. */
  async function addedAfter({ id, list, server = '' }: ListChange): Promise<readonly string[]> {
    const { items } = await lists.changes({ list, server, limit: MOST_LATER });
    const index = items.findIndex((one) => one.id === id);
    const later = index === -1 ? items : items.slice(0, index);
    return later.flatMap(({ before, after }) => Object.keys(after).filter((entry) => before[entry] === null && after[entry] !== null));
  }

  async function edit(
    ref: ListRef,
    by: Actor,
    decide: (entries: Entries, exists: boolean) => ListEdit,
    { isUndeletion = false } = {},
  ): Promise<Performed<ListEdited>> {
    assertInScope(ref, by);
    // Before its deletion, the list was in force beside the file, and is so again.
    if (!isUndeletion) await assertNotInFile(ref);
    let named: EntryStates = {};
    let isNew = false;
    const change = await lists.edit(ref, by, (entries, exists) => {
      isNew = !exists;
      const decided = decide(entries, exists);
      named = decided.after;
      assertSize(entries, named);
      return decided;
    });
    const { list, server } = ref;
    const entries = Object.entries(named).flatMap(([id, fields]) => (fields ? [{ list, server, id, fields }] : []));
    const result: ListEdited = { list, server, change, entries, ...(change && isNew ? { created: true } : {}) };
    if (!change) return { result, outcome: 'unchanged' };
    return { result, outcome: 'done', after: logged(change) };
  }

  return {
    addListEntries: audited('addListEntries', auditLog, ({ entries: added, changes = [], ...ref }, by) =>
      edit(ref, by, (entries) => {
        const there = added.find(({ id }, index) => entries.has(id) || added.findIndex((one) => one.id === id) !== index);
        if (there) throw new Refused('entryExists', `The list ${ref.list} already has the entry ${there.id}.`);
        const changed = new Map<string, JsonObject>();
        for (const one of changes) changed.set(one.entry, changedFields(new Map([...entries, ...changed]), one, ref));
        return { after: Object.fromEntries([...changed, ...added.map((one) => [one.id, accepted(one, ref)] as const)]) };
      }),
    ),

    changeListEntry: audited('changeListEntry', auditLog, ({ entry, fields, expected, ...ref }, by) =>
      edit(ref, by, (entries) => ({ after: { [entry]: changedFields(entries, { entry, fields, expected }, ref) } })),
    ),

    removeListEntries: audited('removeListEntries', auditLog, ({ entries: removed, ...ref }, by) =>
      edit(ref, by, (entries) => {
        for (const id of removed) entryOf(entries, id, ref);
        return { after: Object.fromEntries(removed.map((id) => [id, null])) };
      }),
    ),

    importList: audited('importList', auditLog, ({ source, mode, ...ref }, by) => {
      const { entries: imported, diagnostics } = checkList({
        file: `${ref.list}.yaml`,
        source,
        ...(ref.list === FOLLOWED && { followed: 'error' }),
      });
      if (!imported) {
        const errors = diagnostics.filter(({ severity }) => severity === 'error').slice(0, 3);
        // The text may be from a file with any name, or from none.
        const texts = errors.map(({ line, column, ...one }) => `line ${line}, column ${column}: ${diagnosticText(one)}`);
        throw new Refused('listHasErrors', `The list has errors. Nothing is imported.\n${texts.join('\n')}`);
      }
      return edit(ref, by, (entries) => {
        const removed = mode === 'replace' ? [...entries.keys()].filter((id) => !Object.hasOwn(imported, id)) : [];
        const added = Object.entries(imported).map(([id, fields]) => [id, accepted({ id, fields }, ref)] as const);
        return { after: { ...Object.fromEntries(removed.map((id) => [id, null])), ...Object.fromEntries(added) } };
      });
    }),

    deleteList: audited('deleteList', auditLog, async ({ list, server }, by) => {
      assertInScope({ server }, by);
      await assertNotInFile({ list });
      await assertNotNeeded({ list, server });
      const change = await lists.remove({ list, server }, by);
      if (!change) throw new Refused('listNotFound', `There is no list ${list} that people edit.`);
      return { result: { list, server, change, entries: [] }, outcome: 'done', after: logged(change) };
    }),

    undoListChange: audited('undoListChange', auditLog, async ({ change: id }, by) => {
      const change = await lists.findChange(id);
      // The lists of other servers are unknown to an actor of one server.
      if (!change || (by.scope && by.scope.server !== change.server))
        throw new Refused('changeNotFound', `There is no change ${id}, or it is older than two years.`);
      const { list, server, before, after } = change;
      const isDeleted = !(await lists.named(list)).some((one) => one.server === server);
      // The last change of a list that does not exist is its deletion.
      const [newest] = isDeleted ? (await lists.changes({ list, server: server ?? '', limit: 1 })).items : [];
      const added = await addedAfter(change);
      const decide = (entries: Entries, exists: boolean): ListEdit => {
        // A second click changes nothing, even if the list did not exist yet when it began.
        if (exists && Object.entries(before).every(([entry, fields]) => isState(entries.get(entry), fields))) return { after: {} };
        for (const [entry, fields] of Object.entries(after)) {
          if (isState(entries.get(entry), fields)) continue;
          throw new Refused('entryChanged', `The entry ${entry} was changed since then. Undo the later change first.`);
        }
        for (const [entry, fields] of Object.entries(before)) {
          const other = fields && !entries.has(entry) && added.find((one) => hasAccountOf(entries.get(one), fields));
          if (other)
            throw new Refused('entryExists', `The list ${list} has an account of the entry ${entry} again, in the entry ${other}.`);
        }
        return { after: before, undoes: id };
      };
      return edit({ list, server }, by, decide, { isUndeletion: newest?.id === id });
    }),
  };
}

/** What the log of actions keeps of a change. */
function logged({ id: change, list, server, after }: ListChange): JsonObject {
  const ids = Object.keys(after);
  return { change, list, ...(server !== undefined && { server }), entries: ids.length, ids: ids.slice(0, MOST_LOGGED) };
}

/** Throws if the actor belongs to a server, and the list does not. */
function assertInScope({ server }: Pick<ListRef, 'server'>, { scope }: Pick<Actor, 'scope'>): void {
  if (scope && scope.server !== server) throw new Refused('otherServer', 'You can change the lists of your Discord server only.');
}

const MOST_NAMES = 5;

function namesOf(rules: readonly Rule[]): string {
  const rest = rules.length - MOST_NAMES;
  const names = rules.slice(0, MOST_NAMES).map(({ id }) => id);
  return names.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

function entryOf(entries: Entries, id: string, { list }: ListRef): JsonObject {
  const fields = entries.get(id);
  if (!fields) throw new Refused('entryNotFound', `The list ${list} has no entry ${id}.`);
  return fields;
}

/** The fields of an entry after a change. Throws if it is not in the list, or if a field has another value than expected. */
function changedFields(
  entries: Entries,
  { entry, fields, expected = {} }: Pick<ActionInput<'changeListEntry'>, 'entry' | 'fields' | 'expected'>,
  ref: ListRef,
): JsonObject {
  const before = entryOf(entries, entry, ref);
  if (Object.entries(expected).some(([field, value]) => canonical(before[field] ?? null) !== canonical(value ?? null)))
    throw new Refused('entryChanged', `The entry ${entry} was changed since then. Read it again.`);
  const changed = Object.entries({ ...before, ...accepted({ id: entry, fields }, ref) }).filter(([, value]) => value !== null);
  const read = EntryFields.safeParse(Object.fromEntries(changed));
  if (!read.success) throw new Refused('tooManyFields', `The entry ${entry} would have more fields than an entry can have.`);
  return read.data;
}

/** The fields to store. Throws if the rule over followed streamers could not use them. */
function accepted({ id, fields }: Pick<ListEntry, 'id' | 'fields'>, { list }: ListRef): JsonObject {
  if (list !== FOLLOWED) return fields;
  const [mistake] = followedMistakes(fields);
  if (!mistake) return withTexts(fields);
  const { message, hint } = formatFollowedMistake(mistake);
  throw new Refused('unusableField', `The entry ${id} has a value that Fanfare cannot use: ${message}. To correct it, ${hint}.`);
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

/** Whether an entry has an account of a removed one, by its id: a renamed account has an entry with another id. */
function hasAccountOf(entry: JsonObject | undefined, removed: JsonObject): boolean {
  const { userIds } = removed;
  return entry !== undefined && isJsonObject(userIds) && sharesAccount({ fields: entry }, { fields: removed }, Object.keys(userIds));
}

function isState(now: JsonObject | undefined, then: JsonObject | null | undefined): boolean {
  return canonical(now ?? null) === canonical(then ?? null);
}
