import type { RuleSet } from '#src/rules/rule-set.ts';

/** A rule file that cannot be used. */
export interface BrokenFile {
  readonly file: string;
  readonly errors: number;
  /** Whether its rules run as they were before. */
  readonly keepsRunning: boolean;
}

/** The files that cannot be used, and how much is wrong with each. */
export function brokenFiles({ diagnostics, asBefore }: RuleSet): readonly BrokenFile[] {
  const errors = Map.groupBy(
    diagnostics.filter(({ severity }) => severity === 'error'),
    ({ file }) => file,
  );
  return [...errors].map(([file, { length }]) => ({ file, errors: length, keepsRunning: asBefore.has(file) }));
}
