import type { Problem } from '#src/rules/problem.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { CaseWords } from '#src/rules/testing/case-words.ts';

/** The rules of an installation, as the commands look at them; the app fills it. */
export interface RuleShelf {
  /** The rules in the named files and folders, or all rules, with everything that is wrong with them. */
  load(
    paths: readonly string[],
  ): Promise<{ readonly rules: readonly Rule[]; readonly problems: readonly Problem[]; readonly files: number }>;
  /** The tests beside the rules in the named files and folders, or beside all rules. */
  runTests(paths: readonly string[]): Promise<TestRun>;
  /** The JSON Schema of a rule file. */
  schema(): object;
  printProblem(problem: Problem, options: { readonly color: boolean }): string;
}

export interface TestRun {
  readonly problems: readonly Problem[];
  /** Rules without a test beside them. */
  readonly untested: readonly string[];
  /** Those of one rule stand together. */
  readonly cases: readonly RanCase[];
}

interface RanCase {
  /** The rule's name. */
  readonly rule: string;
  readonly passed: boolean;
  /** `words`: in which language; absent: English. */
  readonly print: (options: { readonly color: boolean; readonly words?: CaseWords | undefined }) => string;
}
