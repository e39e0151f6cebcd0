import type { Json } from '#src/operation/json.ts';

/** One of the list of a step with `forEach`. */
export interface Element {
  /** Part of the key of its delivery: the same whenever the list is worked out again. */
  readonly key: string;
  readonly it: Json;
  /** From 0. */
  readonly index: number;
}
