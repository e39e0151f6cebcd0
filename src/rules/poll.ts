import type { Fault } from '#src/errors.ts';
import type { JsonObject } from '#src/operation/json.ts';

/** A record of a poll as JSON. Instants are ISO 8601 texts; absent values are left out. */
export type Item = JsonObject;

/** The result of a poll for one rule: the complete list, or a failure. */
export type Poll =
  | {
      readonly items: readonly Item[];
      /** Whether all pages were read: no page failed and no budget cut the list. */
      readonly complete: boolean;
      /** Whether the platform has more pages. */
      readonly more?: boolean | undefined;
    }
  | {
      /** Why the poll failed, for the operator. */
      readonly failure: string;
      /** The fault, if the platform reported one. */
      readonly fault?: Fault | undefined;
    };
