import type { Json } from '#src/operation/json.ts';

/** Documents by collection and id, in the order in which they were first written. */
export interface Journal {
  put(collection: string, id: string, document: Json): void;
  get(collection: string, id: string): Json | undefined;
  all(collection: string): readonly Json[];
  drop(collection: string, id: string): void;
  close(): void;
}
