import type { Rule } from '#src/rules/rule.ts';

/** What a rule would say if what it watches were new right now. */
export interface PreviewView {
  readonly rule: Rule;
  /** What was read; absent where the rule watches nothing. */
  readonly read?: ReadView | undefined;
  readonly scenes: readonly SceneView[];
}

export interface ReadView {
  /** Why nothing could be read. */
  readonly failure?: string | undefined;
  readonly count: number;
  /** How many count, by `where` and `take`. */
  readonly counted: number;
  /** Whether nobody is there, and what follows is shown with somebody made up, whom `where` does not ask. */
  readonly madeUp: boolean;
  /** Some that `where` refuses, and why. */
  readonly refused: readonly { readonly name: string; readonly because: string }[];
}

/** One thing that happens, and what the rule would do. */
export interface SceneView {
  /** As `ada enters`. */
  readonly title: string;
  /** Why nothing would be done. */
  readonly silence?: string | undefined;
  readonly steps: readonly StepView[];
}

export interface StepView {
  /** Its id or its place, as `step 1`. */
  readonly name: string;
  readonly do: string;
  readonly account: string;
  /** How long after the firing. */
  readonly after?: string | undefined;
  /** Why it is skipped or cannot be done. */
  readonly undone?: { readonly kind: 'skipped' | 'failed'; readonly reason: string } | undefined;
  /** Whether it only asks, which was really done. */
  readonly reads: boolean;
  readonly remark?: string | undefined;
  /** Each message, post or call. */
  readonly sayings: readonly SayingView[];
}

export interface SayingView {
  /** Where it goes, as `#live`. */
  readonly place?: string | undefined;
  /** As it would look there, line by line. */
  readonly lines: readonly string[];
  /** As `text 78 of 300`. */
  readonly lengths: readonly { readonly text: string; readonly full: boolean }[];
  /** Who would be pinged; absent where nobody can be. */
  readonly pings?: readonly string[] | undefined;
}
