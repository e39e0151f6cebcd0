import type { Declared, Watch } from '#src/operation/declared.ts';

/** Parameters that a poll does not take: it keeps its own pace, and begins at the beginning. */
export const NOT_FOR_POLLS: readonly string[] = ['waitTime', 'cursor'];

/** What a missing item means where the operation is watched; undefined where rules cannot watch it. */
export function watchKind(declared: Declared | undefined): Watch | undefined {
  return declared?.kind === 'list' || declared?.kind === 'read' ? declared.watch : undefined;
}
