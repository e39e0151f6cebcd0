import type { ListRef, ListStore, LivingNames } from '#src/admin/actions/list-store.ts';
import { problemOf, type FileList, type FileLists, type ListFolder } from '#src/engine/lists/list-folder.ts';
import type { ListShapes } from '#src/rules/expression/list-shapes.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import { knownLists } from './known-lists.ts';
import { hash } from '#src/rules/firing.ts';
import { FOLLOWED, type ListEntry, type Lists, type ListSource } from '#src/rules/lists.ts';

interface ListSourceParts {
  readonly folder: ListFolder;
  readonly store: Pick<ListStore, 'read' | 'readSince'>;
  /** Runs if the errors of list files change. */
  readonly onDiagnostics?: ((diagnostics: readonly Diagnostic[]) => void) | undefined;
}

/** The lists of an installation. */
export interface KnownLists extends ListSource {
  /** The lists that rules can name, for the checks of rules. */
  shapes(): Promise<ListShapes>;
  /** The lists that exist. */
  names(): Promise<readonly string[]>;
}

/** The lists that rules read: files and living lists. Each call reads what changed since the last one. */
export function createListSource({ folder, store, onDiagnostics }: ListSourceParts): KnownLists {
  const readLiving = createLivingReader(store);
  let now: Lists | undefined;
  let shapes: ListShapes = {};
  let shown = '';
  let reading: Promise<Lists> | undefined;

  async function read(): Promise<Lists> {
    const [files, living] = await Promise.all([folder.read(), readLiving()]);
    const revision = hash(files.revision, living.revision);
    if (now?.revision === revision) return now;
    now = toLists(files, living, revision);
    shapes = knownLists(files, living.names);
    const diagnostics = [...files.diagnostics, ...conflicts(files, living.refs)];
    const text = JSON.stringify(diagnostics);
    if (text !== shown && (shown !== '' || diagnostics.length > 0)) onDiagnostics?.(diagnostics);
    shown = text;
    return now;
  }

  function current(): Promise<Lists> {
    // Rules that poll at the same time share one read.
    reading ??= read().finally(() => (reading = undefined));
    return reading;
  }

  return {
    current,
    async shapes() {
      await current();
      return shapes;
    },
    names: async () => (await current()).names(),
  };
}

/** The errors of files whose list people also edit. The living list is in force. */
export function conflicts({ lists }: FileLists, living: readonly ListRef[]): readonly Diagnostic[] {
  return [...lists.values()].flatMap((one) => {
    const same = living.find(({ list }) => list === one.name);
    if (!same) return [];
    const where = same.server === undefined ? one.name : `${one.name} --server ${same.server}`;
    const hint = `rename the file, or delete the list: npx fanfare lists export ${where}, then npx fanfare lists delete ${where}`;
    return [problemOf(one, 'duplicate-list', `${one.name} is also a list that people edit; the file is ignored`, hint)];
  });
}

function toLists({ lists }: FileLists, { names, entriesOf }: Living, revision: string): Lists {
  const all = [...new Set([...lists.keys(), ...names])].toSorted();
  return {
    revision,
    names: () => all,
    entries: (list) => (names.has(list) ? entriesOf(list) : (lists.get(list)?.entries ?? [])),
    problemOf(list) {
      const file = lists.get(list);
      if (names.has(list) || (list === FOLLOWED && !file)) return undefined;
      if (file?.entries) return unreadSource(file);
      if (file) return `the list ${list} has errors: correct ${file.file}`;
      return `the list ${list} is missing: create lists/${list}.yaml, or remove the list from the rule`;
    },
  };
}

/** Until the first read of a source, also of an edited one, each absent person may be one of its people. */
function unreadSource({ name, source }: FileList): string | undefined {
  if (!source || source.readAt) return undefined;
  const why = source.problem === undefined ? 'has not been read yet' : `cannot be read: ${source.problem}`;
  return `the people of the list ${name} are unknown: its source ${why}`;
}

/** The living lists at one moment. */
interface Living {
  readonly revision: string;
  readonly refs: readonly ListRef[];
  readonly names: ReadonlySet<string>;
  readonly entriesOf: (list: string) => readonly ListEntry[];
}

/** Reads all living lists once, and only their changes from then on. */
function createLivingReader(store: ListSourceParts['store']): () => Promise<Living> {
  /** The entries by list and server, ordered by id. Those of the installation have an empty server. */
  const byList = new Map<string, Map<string, readonly ListEntry[]>>();
  let state: LivingNames | undefined;
  const whole = new Map<string, readonly ListEntry[]>();
  let living: Living | undefined;

  function entriesOf(list: string): readonly ListEntry[] {
    const entries = whole.get(list) ?? [...(byList.get(list) ?? [])].toSorted(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, some]) => some);
    whole.set(list, entries);
    return entries;
  }

  async function readAll(): Promise<void> {
    const { entries, ...names } = await store.read();
    byList.clear();
    whole.clear();
    for (const [list, some] of Map.groupBy(entries, (one) => one.list)) {
      byList.set(list, new Map([...Map.groupBy(some, ({ server = '' }) => server)].map(([server, its]) => [server, its.toSorted(byId)])));
    }
    state = names;
  }

  return async () => {
    const since = state && (await store.readSince(state));
    const isSame = since && since.changes.length === 0 && since.lists.length === state?.lists.length;
    if (living && isSame) return living;
    if (!since || isOneGone(state?.lists ?? [], since.lists)) await readAll();
    else {
      for (const { list, server, after } of since.changes) {
        const ofList = byList.get(list) ?? new Map<string, readonly ListEntry[]>();
        const kept = ofList.get(server ?? '')?.filter(({ id }) => !Object.hasOwn(after, id)) ?? [];
        const put = Object.entries(after).flatMap(([id, fields]) => (fields ? [{ id, list, server, fields }] : []));
        byList.set(list, ofList.set(server ?? '', [...kept, ...put].toSorted(byId)));
        whole.delete(list);
      }
      state = since;
    }
    // A snapshot keeps its entries when later changes arrive.
    const snapshot = new Map<string, readonly ListEntry[]>();
    const refs = state?.lists ?? [];
    const names = new Set(refs.map(({ list }) => list));
    for (const name of names) snapshot.set(name, entriesOf(name));
    // A change has another number, and the deletion of the lists of a server has none.
    living = { revision: hash(state?.seq ?? 0, JSON.stringify(refs)), refs, names, entriesOf: (list) => snapshot.get(list) ?? [] };
    return living;
  };
}

/** Whether a list was deleted. The deletion of the lists of a server is no change. */
function isOneGone(before: readonly ListRef[], after: readonly ListRef[]): boolean {
  const there = new Set(after.map(keyOf));
  return before.some((one) => !there.has(keyOf(one)));
}

function keyOf({ list, server = '' }: ListRef): string {
  return `${list} ${server}`;
}

function byId({ id: a }: ListEntry, { id: b }: ListEntry): number {
  return a < b ? -1 : 1;
}
