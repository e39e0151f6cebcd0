import type { Json } from '#src/clients/operation/json.ts';

/** An element of the list of a step with `forEach`. */
export interface Element {
  /** Part of the delivery key. It stays the same if the list is evaluated again. */
  readonly key: string;
  readonly it: Json;
  /** From 0. */
  readonly index: number;
}
