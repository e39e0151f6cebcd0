import type { Accounts } from './accounts.ts';
import { problemsAcross, type CheckedFile } from './check/across-files.ts';
import { Report } from './document/report.ts';
import type { Problem } from './problem.ts';
import type { Rule } from './rule.ts';

/** What rule files together stand for. */
export interface RuleSet {
  /** The files whose rules are in force, by the name of their rule: of a file that cannot be used, as it was when it last could. */
  readonly inForce: ReadonlyMap<string, CheckedFile>;
  /** All rules in force, in the order of their files. */
  readonly rules: readonly Rule[];
  /** Everything that is wrong with the files as they are now. */
  readonly problems: readonly Problem[];
  readonly files: ReadonlySet<string>;
  /** Those of the files that cannot be used, and go on as they were. */
  readonly asBefore: ReadonlySet<string>;
}

export interface RuleSetOptions {
  readonly accounts: Accounts;
  /** What was in force until now, by the name of its rule. */
  readonly before?: RuleSet['inForce'] | undefined;
  /** There are other rules beside these. */
  readonly isPart?: boolean | undefined;
}

/** What is in force of `files`: whoever had a name keeps it, and what cannot be used goes on as it was. */
export function ruleSetOf(files: readonly CheckedFile[], { accounts, before = new Map(), isPart = false }: RuleSetOptions): RuleSet {
  const there = new Map(files.map((file) => [file.file, file]));
  const inForce = new Map<string, CheckedFile>();
  const asBefore = new Set<string>();
  const goOn = (name: string, old: CheckedFile): void => {
    inForce.set(name, old);
    asBefore.add(old.file);
  };

  for (const [name, old] of before) {
    const now = there.get(old.file);
    if (now && nameOf(now) === name) inForce.set(name, now);
    else if (now && now.rules.length === 0) goOn(name, old);
  }
  const refused = files.filter((file) => !takesName(file, inForce));
  for (const [name, old] of before) {
    if (inForce.has(name)) continue;
    // A file that took another's name is refused, and one may be moved and broken in one go.
    const heir = refused.find(({ file }) => file === old.file) ?? files.find((file) => isBrokenCopy(file, { name, there, old }));
    if (heir) goOn(name, { ...old, file: heir.file, rules: old.rules.map((rule) => ({ ...rule, file: heir.file })) });
  }

  const used = [...inForce.values()].toSorted((a, b) => (a.file < b.file ? -1 : 1));
  const problems = [
    ...files.flatMap((file) => [...file.problems, ...(file.lacks ?? [])]),
    ...refused.flatMap((file) => sameId(file, inForce.get(nameOf(file) ?? ''))),
    ...problemsAcross(used, { accounts, ids: isPart ? undefined : idsOf([...files, ...used]) }),
  ];
  return { inForce, rules: used.flatMap(({ rules }) => rules), problems, files: new Set(there.keys()), asBefore };
}

function nameOf({ rules }: CheckedFile): string | undefined {
  return rules[0]?.name;
}

/** The ids of all rules, also of those that cannot be used; undefined where one cannot be read. */
function idsOf(files: readonly CheckedFile[]): ReadonlySet<string> | undefined {
  const ids = files.map(({ rules, source }) => (rules.length > 0 ? rules.flatMap(({ id, name }) => [id, name]) : [writtenId(source)]));
  const known = ids.flat().filter((id) => id !== undefined);
  return known.length === ids.flat().length ? new Set(known) : undefined;
}

/** The id of a rule that may be no good otherwise. */
function writtenId(source: string): string | undefined {
  return /^id:[ \t]*["']?([\w-]+)/mu.exec(source)?.[1];
}

/** Whether the name of a file's rule is its own from now on; one that has none takes none from anybody. */
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

function sameId({ file, source, rules }: CheckedFile, first: CheckedFile | undefined): readonly Problem[] {
  const report = new Report(file, source);
  const offset = /^id:/mu.exec(source)?.index ?? 0;
  report.error(
    { path: ['id'], offset },
    `${first?.file} and ${file} have the same id: ${rules[0]?.name}`,
    'an id is the name of one rule: change the newer one',
  );
  return report.problems;
}
