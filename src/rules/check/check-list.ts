import { isMap, isScalar } from 'yaml';
import { closestName } from '#src/clients/operation/closest-name.ts';
import { isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import { plainValue, TooLarge } from '#src/rules/document/plain-value.ts';
import { readDocument } from '#src/rules/document/read-document.ts';
import { Report, type Path } from '#src/rules/document/report.ts';
import { keyOf, type RuleDocument } from '#src/rules/document/rule-document.ts';
import { EntryFields, EntryId, MOST_ENTRIES, MOST_LIST_CHARACTERS, SOURCED_KEYS, type EntriesById } from '#src/rules/grammar/list-file.ts';
import { nameInPage } from '#src/rules/grammar/channel-page.ts';
import { RuleFile } from '#src/rules/grammar/rule-file.ts';
import type { PeopleSource } from '#src/rules/lists.ts';
import { followedMistakes, formatFollowedMistake } from '#src/rules/people/followed-fields.ts';
import { keysOf, shapeOf } from '#src/rules/shape/shape.ts';
import { shapeOfValues } from '#src/rules/shape/value-shape.ts';
import { checkLeadingZeros } from './check-leading-zeros.ts';
import { checkPlatformFields } from './check-platform-fields.ts';
import { checkSource, type SourceNames } from './check-source.ts';
import { reportIssue } from './check-structure.ts';
import { foreignKeyAt } from './foreign-keys.ts';

/** A checked list: with an error among the diagnostics, it has no entries. */
export interface CheckedList {
  readonly entries: EntriesById | undefined;
  /** The source of further entries. */
  readonly source?: PeopleSource | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

interface Reading {
  readonly document: RuleDocument;
  readonly report: Report;
}

const OF_A_LIST = { what: 'a list', mostCharacters: MOST_LIST_CHARACTERS };
const MOST_NODES = 100_000;
const REQUIRED_IN_RULES = ['id', 'when', 'then'];

interface CheckListOptions {
  readonly file: string;
  /** How fields are reported that the rule over followed streamers cannot use; absent: it does not read the list. */
  readonly followed?: Diagnostic['severity'] | undefined;
  readonly source: string;
  /** The operations and accounts that its source can name; absent: it can have no source. */
  readonly names?: SourceNames | undefined;
}

/** Checks the YAML text of a list: its entries by id, its source, and all diagnostics. */
export function checkList({ file, followed, source: text, names }: CheckListOptions): CheckedList {
  const source = text.replace(/^\uFEFF/u, '');
  const report = new Report(file, source);
  // Editors and power cuts leave files of zero bytes, which must not remove everyone.
  if (source.trim() === '') {
    const hint = 'for a list without entries, write {}';
    report.error({ path: [], offset: 0 }, 'empty-file', 'the file is empty', hint);
    return { entries: undefined, diagnostics: report.diagnostics };
  }
  // A list with comments only has no entries. One pattern for all lines would take exponential time for empty ones.
  if (source.split('\n').every((line) => /^\s*(?:#|$)/u.test(line))) return { entries: {}, diagnostics: [] };
  const document = readDocument(source, report, OF_A_LIST);
  const isSourced = document !== undefined && hasSource(document, names);
  const people = isSourced ? checkSource(names, { document, report }) : undefined;
  const base = isSourced ? ['entries'] : [];
  const entries = document && readEntries(document, base, report);
  if (entries && followed) checkFollowed(entries, base, { document, report, severity: followed });
  if (entries && names) checkPlatformFields(entries, { base, isSourced }, { document, report, ...names });
  if (report.hasErrors) return { entries: undefined, diagnostics: report.diagnostics };
  return { entries: entries && Object.fromEntries(entries), source: people, diagnostics: report.diagnostics };
}

/** Reports what the rule over followed streamers cannot use. */
function checkFollowed(
  entries: ReadonlyMap<string, JsonObject>,
  base: Path,
  { document, report, severity }: Reading & Pick<Diagnostic, 'severity'>,
): void {
  for (const [id, fields] of entries) {
    for (const mistake of followedMistakes(fields)) {
      const { message, hint } = formatFollowedMistake(mistake);
      report[severity](document.locationOf([...base, id, mistake.field]), 'followed-field', message, hint);
    }
  }
}

/** Whether the file has no other keys than those of a source. Else `source` is the id of an entry. */
function hasSource(document: RuleDocument, names: SourceNames | undefined): boolean {
  const keys = keysAt(document, []) ?? [];
  if (!keys.includes('source') || !keys.every((key) => SOURCED_KEYS.includes(key))) return false;
  // The export of a living list can have the entry `source` alone.
  return names !== undefined || document.nodeAt(['source', 'watch']) !== undefined;
}

/** Whether a file has only maps, as a list has, and no key of a rule, even misspelt. */
export function isListFile(document: RuleDocument): boolean {
  const keys = keysAt(document, []) ?? [];
  const ofRules = keysOf(shapeOf(RuleFile));
  const isOfRule = (key: string): boolean =>
    ofRules.includes(key) || foreignKeyAt([key]) !== undefined || closestName(key, REQUIRED_IN_RULES) !== undefined;
  return keys.length > 0 && keys.every((key) => isEntry(document.nodeAt([key])) && !isOfRule(key));
}

function isEntry(node: unknown): boolean {
  return isMap(node) || (isScalar(node) && node.value === null);
}

function keysAt(document: RuleDocument, path: Path): readonly string[] | undefined {
  const node = document.nodeAt(path);
  return isMap(node) ? node.items.flatMap(({ key }) => keyOf(key) ?? []) : undefined;
}

function readEntries(document: RuleDocument, base: Path, report: Report): ReadonlyMap<string, JsonObject> | undefined {
  const isEmpty = base.length > 0 && (plainValue(document, base, { kind: 'anything' }) ?? null) === null;
  const ids = isEmpty ? [] : keysAt(document, base);
  if (!ids) {
    const location = base.length === 0 ? { path: [], offset: 0 } : document.locationOf(base);
    report.error(location, 'wrong-value', 'expected a map of entries', 'write each entry as ada: { twitch: ada }');
    return undefined;
  }
  if (ids.length > MOST_ENTRIES) {
    const location = document.keyLocation(base, ids[MOST_ENTRIES] ?? '');
    report.error(location, 'too-large', `a list can have at most ${MOST_ENTRIES} entries; this one has ${ids.length}`);
    return undefined;
  }
  const entries = new Map<string, JsonObject>();
  for (const id of ids) {
    if (report.isFull) return undefined;
    const fields = readEntry(id, base, { document, report });
    checkLeadingZeros([...base, id], { document, report });
    if (fields) entries.set(id, fields);
  }
  warnOfMixedTypes(entries, base, { document, report });
  return entries;
}

function readEntry(id: string, base: Path, { document, report }: Reading): JsonObject | undefined {
  const named = EntryId.safeParse(id);
  if (!named.success) report.error(document.keyLocation(base, id), 'wrong-value', messageOf(named.error.issues));
  const value = readValue([...base, id], document, report);
  // `ada:` is an entry without fields.
  const fields = value === null && document.commentInstead([...base, id]) === undefined ? {} : value;
  const read = EntryFields.safeParse(fields);
  if (read.success) return named.success ? read.data : undefined;
  for (const { path, message } of read.error.issues) {
    const at = [...base, id, ...path.map(String)];
    const hint = isJsonObject(fields) ? undefined : fieldsHint(id, fields);
    reportIssue({ path: at, kind: 'wrong-value', message, hint }, [], { document, report });
  }
  return undefined;
}

/** How to write the fields of an entry, or a source, whose author wrote a single value. */
function fieldsHint(id: string, value: Json | undefined): string {
  const text = typeof value === 'string' ? value : '';
  if (id === 'source' && text.includes('.')) return `write source: { watch: ${text}, with: { … } }, without other keys than entries`;
  const name = /^@?([\w.-]+)$/u.exec(text)?.[1] ?? nameInPage(text);
  return name === undefined ? 'write the fields as ada: { twitch: ada }' : `write ${id}: { twitch: ${name} }`;
}

function readValue(path: Path, document: RuleDocument, report: Report): Json | undefined {
  try {
    return plainValue(document, path, { kind: 'anything' }, MOST_NODES);
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    report.error(document.locationOf(path), 'too-large', 'the entry is too large when its aliases are expanded');
    return {};
  }
}

function messageOf(issues: readonly { readonly message: string }[]): string {
  return issues[0]?.message ?? 'this value is not allowed';
}

/** Fields of several types are legal, but expressions cannot check them. */
function warnOfMixedTypes(entries: ReadonlyMap<string, JsonObject>, base: Path, { document, report }: Reading): void {
  const kindsByField = new Map<string, Map<string, string[]>>();
  for (const [id, fields] of entries) {
    for (const [field, value] of Object.entries(fields)) {
      const kinds = kindsByField.get(field) ?? new Map<string, string[]>();
      kindsByField.set(field, kinds);
      const kind = kindOf(value ?? null);
      kinds.set(kind, [...(kinds.get(kind) ?? []), id]);
    }
  }
  for (const [field, kinds] of kindsByField) {
    const [usual, ...others] = [...kinds].toSorted(([, a], [, b]) => b.length - a.length);
    const message = `expected ${usual?.[0]}, as in most entries`;
    for (const [kind, [id = '']] of others) {
      report.warning(
        document.locationOf([...base, id, field]),
        'mixed-types',
        `${message}, found ${kind}`,
        'write a field with the same type in each entry',
      );
    }
  }
}

const KINDS: Readonly<Record<string, string>> = {
  // A number can stand for text.
  text: 'text or a number',
  whole: 'text or a number',
  number: 'text or a number',
  flag: 'true or false',
  list: 'a list',
  record: 'a map',
};

function kindOf(value: Json): string {
  return KINDS[shapeOfValues([value]).kind] ?? 'another value';
}
