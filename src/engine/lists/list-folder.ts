import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '#src/errors.ts';
import { hash } from '#src/rules/firing.ts';
import { checkList } from '#src/rules/check/check-list.ts';
import type { SourceNames } from '#src/rules/check/check-source.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import { isUnreadable, readTextFile } from '#src/rules/document/read-text-file.ts';
import { Report } from '#src/rules/document/report.ts';
import { ListName, MOST_LIST_CHARACTERS } from '#src/rules/grammar/list-file.ts';
import { FOLLOWED, type ListEntry, type PeopleSource } from '#src/rules/lists.ts';
import { fileVersion } from '#src/rules/regular-file.ts';

export interface FileList {
  readonly name: string;
  readonly file: string;
  /** The entries of the last valid text; undefined: the file never was valid in this process. */
  readonly entries: readonly ListEntry[] | undefined;
  /** The source of further entries, and the result of its last read. */
  readonly source?: (PeopleSource & Partial<SourceStatus>) | undefined;
  /** What is wrong with the current text. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What the reads of a source gave. */
export interface SourceStatus {
  /** When its people were last read. */
  readonly readAt: Date | undefined;
  /** Why the last read failed. The people of the read before are in force. */
  readonly problem: string | undefined;
}

/** The lists of a folder at one moment. */
export interface FileLists {
  readonly lists: ReadonlyMap<string, FileList>;
  /** Of all files. */
  readonly diagnostics: readonly Diagnostic[];
  /** A hash of the lists and of their errors: it is the same in each process that has them. */
  readonly revision: string;
}

/** A folder with a file for each list. */
export interface ListFolder {
  /** Reads the files that changed. A file with errors keeps its last valid entries. */
  read(): Promise<FileLists>;
}

/** A folder that tells when a read, by whomever, finds that a list changed. */
export interface WatchedListFolder extends ListFolder {
  onChange(listener: () => void): void;
}

interface ReadFile extends FileList {
  readonly version: string | undefined;
  /** The content of the file. */
  readonly text: string;
}

/** UTF-8 takes at most three bytes for a UTF-16 unit. */
const MOST_BYTES = 3 * MOST_LIST_CHARACTERS;

/** The lists in `<folder>/<name>.yaml`. A missing folder has no lists. Without `names`, a list with a source is an error. */
export function openListFolder(folder: string, names?: SourceNames): WatchedListFolder {
  const listeners: (() => void)[] = [];
  let known: ReadonlyMap<string, ReadFile> = new Map();
  let lists: FileLists = listsOf([]);
  let reading: Promise<FileLists> | undefined;

  async function read(): Promise<FileLists> {
    const files = await listFiles(folder);
    const found = await Promise.all(files.map((file) => readOne(join(folder, file).replaceAll('\\', '/'), known, names)));
    const isSame = found.length === known.size && found.every((one) => known.get(one.file) === one);
    known = new Map(found.map((one) => [one.file, one]));
    if (isSame) return lists;
    lists = listsOf(found);
    for (const listener of listeners) listener();
    return lists;
  }

  return {
    onChange: (listener) => void listeners.push(listener),
    read() {
      // Polls at the same time share one look at the folder.
      reading ??= read().finally(() => (reading = undefined));
      return reading;
    },
  };
}

async function listFiles(folder: string): Promise<readonly string[]> {
  // Most installations have no such folder, and an error takes longer than the question.
  if (!existsSync(folder)) return [];
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.flatMap((entry) => (!entry.isDirectory() && /^[^.].*\.ya?ml$/u.test(entry.name) ? [entry.name] : [])).toSorted();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return [];
    throw error;
  }
}

function listsOf(files: readonly ReadFile[]): FileLists {
  const lists = new Map<string, FileList>();
  const diagnostics: Diagnostic[] = [];
  for (const one of files) {
    const first = lists.get(one.name);
    if (first)
      diagnostics.push(
        problemOf(one, 'duplicate-list', `the list ${one.name} is already in ${first.file}`, 'delete or rename one of the files'),
      );
    else lists.set(one.name, one);
    diagnostics.push(...one.diagnostics);
  }
  // Each machine has another path.
  const errors = (one: ReadFile) => one.diagnostics.map(({ message, hint }) => [message, hint]);
  const content = files.map((one) => [one.name, one.text, one.entries, one.source, errors(one)]);
  return { lists, diagnostics, revision: hash(JSON.stringify(content)) };
}

/** An error of a whole list file. */
export function problemOf({ file }: Pick<FileList, 'file'>, code: string, message: string, hint?: string): Diagnostic {
  return { severity: 'error', code, file, line: 1, column: 1, path: '', message, hint, excerpt: '' };
}

async function readOne(file: string, known: ReadonlyMap<string, ReadFile>, names: SourceNames | undefined): Promise<ReadFile> {
  const before = known.get(file);
  const version = await fileVersion(file);
  if (before && version !== undefined && before.version === version) return before;
  const { source, ...problem } = readTextFile(file, { mostBytes: MOST_BYTES, within: [dirname(file)] });
  if ('diagnostics' in problem) {
    if (before?.text === source && before.diagnostics[0]?.hint === problem.diagnostics[0]?.hint) return before;
    return asBefore({ file, version, text: source, ...problem }, before);
  }
  // A file that was saved without a change stays the same object.
  if (before?.text === source && !isUnreadable(before)) return version === before.version ? before : Object.assign(before, { version });
  const name = nameOf(file);
  const named = ListName.safeParse(name);
  // A wrong color must not stop the other streamers, and an own rule can read other values.
  const {
    entries,
    source: people,
    diagnostics,
  } = named.success
    ? checkList({ file, source, names, ...(name === FOLLOWED && { followed: 'warning' }) })
    : { entries: undefined, source: undefined, diagnostics: [badName(file, source)] };
  if (!entries) return asBefore({ file, version, text: source, diagnostics }, before);
  const checked = Object.entries(entries).map(([id, fields]) => ({ id, list: name, server: undefined, fields }));
  return { name, file, version, text: source, source: people, diagnostics, entries: checked.toSorted((a, b) => (a.id < b.id ? -1 : 1)) };
}

function asBefore(file: Omit<ReadFile, 'name' | 'entries' | 'source'>, before: ReadFile | undefined): ReadFile {
  return { ...file, name: nameOf(file.file), entries: before?.entries, source: before?.source };
}

function nameOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1).replace(/\.ya?ml$/u, '');
}

function badName(file: string, source: string): Diagnostic {
  const report = new Report(file, source);
  const hint = 'rename the file: a lowercase letter, then letters, digits or _, for example team.yaml';
  report.error({ path: [], offset: 0 }, 'file-name', `${nameOf(file)} cannot be the name of a list`, hint);
  return report.diagnostics[0] ?? problemOf({ file }, 'file-name', hint);
}
