import type { Declared, DeclaredList } from '#src/operation/declared.ts';

/** The kinds of lists that rules can watch. */
const KINDS: ReadonlySet<string> = new Set(['live', 'ranking']);

/** Parameters that a poll does not take: it keeps its own pace, and begins at the beginning. */
export const NOT_FOR_POLLS: readonly string[] = ['waitTime', 'cursor'];

/** The list of an operation, where a rule can watch it. */
export function watchableList(declared: Declared | undefined): DeclaredList | undefined {
  return declared?.kind === 'list' && KINDS.has(declared.watch) ? declared : undefined;
}
