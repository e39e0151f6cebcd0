import { basename, relative } from 'node:path';
import { findFileError } from '#src/media/file-errors.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import type { CheckedFile } from '#src/rules/check/check-across-files.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import { checkFiles, type KnownFiles } from '#src/rules/load.ts';
import type { Rule } from '#src/rules/rule.ts';
import { ruleSetOf, type RuleSet } from '#src/rules/rule-set.ts';
import { catalogue } from '#src/catalogue.ts';
import type { PublishedFile } from './rule-versions.ts';

export interface CheckFolderOptions {
  readonly folder: string;
  readonly accounts: Accounts;
  readonly isOn: (rule: Pick<Rule, 'enabled'>) => boolean;
}

/** The rules of a folder, ready to be published if they have no errors. */
export interface CheckedFolder {
  readonly files: readonly PublishedFile[];
  /** Their files have the names of `files`. */
  readonly set: RuleSet;
  /** The files have their paths here, as the operator knows them. */
  readonly diagnostics: readonly Diagnostic[];
  /** The number of errors. A folder with errors is not published. */
  readonly errors: number;
}

/** Creates a check of a folder, as `fanfare check` does it. It checks unchanged files once. */
export function createFolderCheck({ folder, accounts, isOn }: CheckFolderOptions): (nowMs: number) => Promise<CheckedFolder> {
  const known: KnownFiles = { checked: new Map(), versions: new Map() };
  return async (nowMs) => {
    const checked = await checkFiles({ paths: [folder], catalogue, accounts, isOn, findFileError, known, nowMs });
    const { diagnostics } = ruleSetOf(checked, { accounts });
    const named = checked.map((file) => renamed(file, nameIn(folder, file.file)));
    return {
      files: named.map(({ file, source }) => ({ file, source })),
      set: ruleSetOf(named, { accounts }),
      diagnostics,
      errors: diagnostics.filter(({ severity }) => severity === 'error').length,
    };
  };
}

/** The name of a file in a version, which is the same on all machines. */
function nameIn(folder: string, file: string): string {
  const name = relative(folder, file).replaceAll('\\', '/');
  return name === '' ? basename(file) : name;
}

function renamed(checked: CheckedFile, file: string): CheckedFile {
  return { ...checked, file, rules: checked.rules.map((rule) => ({ ...rule, file })) };
}
