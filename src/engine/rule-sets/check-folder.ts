import { basename, relative } from 'node:path';
import { catalogue } from '#src/clients/catalogue.ts';
import { findFileError } from '#src/http/media/file-errors.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import type { CheckedFile } from '#src/rules/check/check-across-files.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import { Report } from '#src/rules/document/report.ts';
import { isDraftedName, isNoRuleFile, nameDiagnostics } from '#src/rules/file-names.ts';
import { checkFiles, type KnownFiles } from '#src/rules/load.ts';
import type { Rule } from '#src/rules/rule.ts';
import { ruleSetOf, type RuleSet } from '#src/rules/rule-set.ts';
import { ruleFileOf } from '#src/engine/testing/test-files.ts';
import { createPublishedCheck } from './check-published.ts';
import { createTestReader, type FolderTest } from './folder-tests.ts';
import type { PublishedFile } from './rule-versions.ts';

export interface CheckFolderOptions {
  readonly folder: string;
  readonly accounts: Accounts;
  readonly isOn: (rule: Pick<Rule, 'enabled'>) => boolean;
}

/** The rules of a folder, ready to be published if they have no errors. */
export interface CheckedFolder {
  /** The files of the folder, and the approved files that it lacks. */
  readonly files: readonly PublishedFile[];
  /** Their files have the names of `files`. */
  readonly set: RuleSet;
  /** The files of the folder have their paths here, as the operator knows them. */
  readonly diagnostics: readonly Diagnostic[];
  /** The number of errors. A folder with errors is not published. */
  readonly errors: number;
}

/** Checks a folder together with the approved files of the version in force. */
export type FolderCheck = (nowMs: number, approved: readonly PublishedFile[]) => Promise<CheckedFolder>;

/** Creates a check of a folder, as `fanfare check` does it. It checks unchanged files once. */
export function createFolderCheck({ folder, accounts, isOn }: CheckFolderOptions): FolderCheck {
  const known: KnownFiles = { checked: new Map(), versions: new Map() };
  const readTests = createTestReader(folder);
  const checkApproved = createPublishedCheck({ accounts, isOn, findFileError });
  return async (nowMs, approved) => {
    const checked = await checkFiles({ paths: [folder], catalogue, accounts, isOn, findFileError, known, nowMs });
    const files = checked.filter((file) => !isNoRuleFile(file));
    const tests = await readTests(files.map(({ file }) => file));
    const named = files.map((file) => renamed(file, nameIn(folder, file.file)));
    const kept = lacking(approved, {
      files: new Set(named.map(({ file }) => file)),
      rules: new Set(named.flatMap((one) => one.rules.map(({ name }) => name))),
    });
    const checkedKept = await checkApproved(kept, nowMs);
    const diagnostics = [
      ...ruleSetOf([...checked, ...checkedKept], { accounts }).diagnostics,
      ...tests.flatMap(unreadable),
      ...named.flatMap(({ file }) => nameDiagnostics(file)),
    ];
    return {
      files: [
        ...named.map(({ file, source }) => ({ file, source })),
        ...tests.flatMap(({ file, content }) => ('text' in content ? [{ file: nameIn(folder, file), source: content.text }] : [])),
        ...kept,
      ],
      set: ruleSetOf([...named, ...checkedKept], { accounts }),
      diagnostics,
      errors: diagnostics.filter(({ severity }) => severity === 'error').length,
    };
  };
}

/** The names of the rule files and of the rules that a person publishes. */
interface PublishedNames {
  readonly files: ReadonlySet<string>;
  readonly rules: ReadonlySet<string>;
}

/** The approved files that are not published. A file is if its name or its rule is. Files that no approval can have made are dropped. */
export function lacking(approved: readonly PublishedFile[], { files, rules }: PublishedNames): readonly PublishedFile[] {
  return approved.filter(({ file }) => {
    if (!isDraftedName(file)) return false;
    const rule = ruleFileOf(file);
    return !files.has(rule) && !rules.has(rule.replace(/\.ya?ml$/u, ''));
  });
}

/** The name of a file in a version, which is the same on all machines. */
function nameIn(folder: string, file: string): string {
  const name = relative(folder, file).replaceAll('\\', '/');
  return name === '' ? basename(file) : name;
}

function renamed(checked: CheckedFile, file: string): CheckedFile {
  return { ...checked, file, rules: checked.rules.map((rule) => ({ ...rule, file })) };
}

function unreadable({ file, content }: FolderTest): readonly Diagnostic[] {
  if ('text' in content) return [];
  const report = new Report(file, '');
  report.error({ path: [], offset: 0 }, 'unreadable-file', 'the file cannot be read', content.unreadable);
  return report.diagnostics;
}
