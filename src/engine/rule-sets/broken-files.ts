import type { RuleSet } from '#src/rules/rule-set.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';

/** A rule file with errors. */
export interface BrokenFile {
  readonly file: string;
  readonly errors: number;
  /** Whether the last version without errors runs. */
  readonly keepsRunning: boolean;
}

/** The files with errors, and the number of errors of each. */
export function brokenFiles({ diagnostics, asBefore }: RuleSet): readonly BrokenFile[] {
  return [...errorsByFile(diagnostics)].map(([file, { length }]) => ({ file, errors: length, keepsRunning: asBefore.has(file) }));
}

/** The errors among diagnostics, by file. */
export function errorsByFile(diagnostics: readonly Diagnostic[]): ReadonlyMap<string, readonly Diagnostic[]> {
  return Map.groupBy(
    diagnostics.filter(({ severity }) => severity === 'error'),
    ({ file }) => file,
  );
}
