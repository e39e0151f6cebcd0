import type { Fault } from '#src/errors.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';

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
      /** What could not be read. Only polls for `people` and of several users have it: an unreadable account or user does not fail the others. */
      readonly unread?: readonly Unread[] | undefined;
      /** The parts that were not read, for the operator. Absent: everything was read. */
      readonly errors?: readonly PartError[] | undefined;
      /** The names that a poll after a hint asked for. Absent: all names of the rule. Nothing was read about the other ones. */
      readonly asked?: NamesByAccount | undefined;
    }
  | {
      /** Why the poll failed, for the operator. */
      readonly failure: string;
      /** The fault, if the platform reported one. */
      readonly fault?: Fault | undefined;
      /** When the platform takes requests again, in milliseconds since 1970, if it said so. */
      readonly retryAtMs?: number | undefined;
    };

/** Names of users, in lower case, by the account that reads them. */
export type NamesByAccount = Readonly<Record<string, readonly string[]>>;

/** Names that an account could not read; without names, all of them. */
interface Unread {
  readonly account: string;
  readonly names?: readonly string[] | undefined;
}

/** Why a part of a poll was not read, while the rest was. */
export interface PartError {
  readonly account: string;
  /** The names that were not read; absent: unknown, or all names of the account. */
  readonly names?: readonly string[] | undefined;
  /** Nothing was read through the account. */
  readonly isWhole?: true | undefined;
  readonly failure: string;
  readonly fault?: Fault | undefined;
}
