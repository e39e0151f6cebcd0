import type { TextLimit } from '#src/operation/text/limit.ts';

/** The accounts that rules may name, by the first word of a verb: `streaming`, `social`, `discord`, … */
export interface Accounts {
  readonly [client: string]: {
    readonly all: readonly string[];
    /** Those that are meant where a rule names none. */
    readonly defaults: readonly string[];
    /** How long a post may be, by account, where that is known. */
    readonly textLimits?: Readonly<Record<string, TextLimit>> | undefined;
    /** How many requests a minute the platform allows an account, where that is known. */
    readonly requestsPerMinute?: Readonly<Record<string, number>> | undefined;
  };
}
