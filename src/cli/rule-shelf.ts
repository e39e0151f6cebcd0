import type { Decision } from '#src/rules/decision.ts';
import type { Problem } from '#src/rules/problem.ts';
import type { Rule } from '#src/rules/rule.ts';

/** The rules of an installation, as the commands look at them; the app fills it. */
export interface RuleShelf {
  /** The rules in the named files and folders, or all rules, with everything that is wrong with them. */
  load(
    paths: readonly string[],
  ): Promise<{ readonly rules: readonly Rule[]; readonly problems: readonly Problem[]; readonly files: number }>;
  /** The tests beside the rules in the named files and folders, or beside all rules. */
  runTests(paths: readonly string[]): Promise<TestRun>;
  /** What there is to know about one rule; undefined: there is none of this id. */
  explain(id: string): Promise<Explanation | undefined>;
  /** The JSON Schema of a rule file. */
  schema(): object;
  printProblem(problem: Problem, options: { readonly color: boolean }): string;
}

export interface TestRun {
  readonly problems: readonly Problem[];
  /** Rules without a test beside them. */
  readonly untested: readonly string[];
  readonly cases: readonly { readonly passed: boolean; readonly print: (options: { readonly color: boolean }) => string }[];
}

export interface Explanation {
  readonly rule: Rule;
  /** Whether it runs with the accounts that there are. */
  readonly on: boolean;
  readonly schedule: string;
  readonly timezone: string;
  readonly nextRuns: readonly Date[];
  readonly requestsPerMinute: number;
  /** Rules that its polls go out together with. */
  readonly sharedWith: readonly string[];
  /** Newest first. */
  readonly decisions: readonly Decision[];
}
