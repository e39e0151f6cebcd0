import type { Accounts } from './accounts.ts';
import { checkAcrossFiles, type CheckedFile } from '#src/rules/check/check-across-files.ts';
import { Report } from '#src/rules/document/report.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { Rule } from './rule.ts';

/** The rules of all files. */
export interface RuleSet {
  /** The files in force, by the name of their rule. An unusable file stays in force with its last usable text. */
  readonly inForce: ReadonlyMap<string, CheckedFile>;
  /** All rules in force, in the order of their files. */
  readonly rules: readonly Rule[];
  /** The diagnostics of the current files. */
  readonly diagnostics: readonly Diagnostic[];
  readonly files: ReadonlySet<string>;
  /** The unusable files, which stay in force with their last usable text. */
  readonly asBefore: ReadonlySet<string>;
  /** The unusable files without a last usable text in force, each with the id in its text. Other machines may be able to use them. */
  readonly unusable: ReadonlyMap<string, string | undefined>;
}

export interface RuleSetOptions {
  readonly accounts: Accounts;
  /** The files that are in force now, by the name of their rule. */
  readonly before?: RuleSet['inForce'] | undefined;
  /** Whether other rules exist that are not in `files`. */
  readonly isPart?: boolean | undefined;
}

/** Puts `files` in force. A rule keeps its name, and an unusable file stays in force with its last usable text. */
export function ruleSetOf(files: readonly CheckedFile[], { accounts, before = new Map(), isPart = false }: RuleSetOptions): RuleSet {
  const there = new Map(files.map((file) => [file.file, file]));
  const inForce = new Map<string, CheckedFile>();
  const asBefore = new Set<string>();
  const goOn = (name: string, old: CheckedFile): void => {
    inForce.set(name, old);
    asBefore.add(old.file);
  };

  /** Whether another rule was moved to the place of a rule, and has a mistake. */
  const isOfOther = (name: string, { source }: CheckedFile): boolean => {
    const id = writtenId(source);
    const other = id === undefined || id === name ? undefined : before.get(id);
    return other !== undefined && !there.has(other.file);
  };

  for (const [name, old] of before) {
    const now = there.get(old.file);
    if (now && nameOf(now) === name) inForce.set(name, now);
    else if (now && now.rules.length === 0 && !isOfOther(name, now)) goOn(name, old);
  }
  const refused = files.filter((file) => !takesName(file, inForce));
  for (const [name, old] of before) {
    if (inForce.has(name)) continue;
    // A file that takes the name of another is refused. A file may also be moved and broken at once.
    const heir = refused.find(({ file }) => file === old.file) ?? files.find((file) => isBrokenCopy(file, { name, there, old }));
    if (heir) goOn(name, { ...old, file: heir.file, rules: old.rules.map((rule) => ({ ...rule, file: heir.file })) });
  }

  const used = [...inForce.values()].toSorted((a, b) => (a.file < b.file ? -1 : 1));
  const diagnostics = [
    ...files.flatMap((file) => [...file.diagnostics, ...(file.fileDiagnostics ?? [])]),
    ...refused.flatMap((file) => sameId(file, inForce.get(nameOf(file) ?? ''))),
    ...checkAcrossFiles(used, { accounts, ids: isPart ? undefined : idsOf([...files, ...used]) }),
  ];
  const unusable = new Map(
    files.flatMap(({ file, source, rules }) => (rules.length > 0 || asBefore.has(file) ? [] : [[file, writtenId(source)]])),
  );
  return { inForce, rules: used.flatMap(({ rules }) => rules), diagnostics, files: new Set(there.keys()), asBefore, unusable };
}

function nameOf({ rules }: CheckedFile): string | undefined {
  return rules[0]?.name;
}

/** The ids of all rules, usable or not. Undefined if one is unreadable. */
function idsOf(files: readonly CheckedFile[]): ReadonlySet<string> | undefined {
  const ids = files.map(({ rules, source }) => (rules.length > 0 ? rules.flatMap(({ id, name }) => [id, name]) : [writtenId(source)]));
  const known = ids.flat().filter((id) => id !== undefined);
  return known.length === ids.flat().length ? new Set(known) : undefined;
}

/** The id in the text of a rule, which may be unusable. */
export function writtenId(source: string): string | undefined {
  return /^id:[ \t]*["']?([\w-]+)/mu.exec(source)?.[1];
}

/** Whether the rule of a file gets its name. A file without a rule takes no name. */
function takesName(file: CheckedFile, inForce: Map<string, CheckedFile>): boolean {
  const name = nameOf(file);
  if (name === undefined) return true;
  const first = inForce.get(name);
  if (!first) inForce.set(name, file);
  return !first || first === file;
}

function isBrokenCopy(
  { rules, source }: CheckedFile,
  { name, there, old }: { readonly name: string; readonly there: ReadonlyMap<string, CheckedFile>; readonly old: CheckedFile },
): boolean {
  return rules.length === 0 && !there.has(old.file) && writtenId(source) === name;
}

function sameId({ file, source, rules }: CheckedFile, first: CheckedFile | undefined): readonly Diagnostic[] {
  const report = new Report(file, source);
  const offset = /^id:/mu.exec(source)?.index ?? 0;
  report.error(
    { path: ['id'], offset },
    'duplicate-id',
    `the id ${rules[0]?.name} is already used in ${first?.file}`,
    'an id must be unique: change the id of the newer rule',
  );
  return report.diagnostics;
}
