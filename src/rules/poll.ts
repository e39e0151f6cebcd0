import type { Fault } from '#src/errors.ts';
import type { JsonObject } from '#src/operation/json.ts';

/** A record as it was read, written down: instants are ISO 8601 texts, what is absent is left out. */
export type Item = JsonObject;

/** What one poll says to one rule: the whole of what it asked, or nothing. */
export type Poll =
  | {
      readonly items: readonly Item[];
      /** Whether a missing item says anything: the walk had no failed part and no budget cut it short. */
      readonly complete: boolean;
      /** Whether the platform has more behind what was read. */
      readonly more?: boolean | undefined;
    }
  | {
      /** Why nothing was read, for the operator. */
      readonly failure: string;
      /** Whose fault it was, where a platform said so. */
      readonly fault?: Fault | undefined;
    };
