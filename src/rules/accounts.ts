import type { Capability } from '#src/operation/capability.ts';
import type { TextLimit } from '#src/operation/text/limit.ts';

/** What a rule's author has to know of the platform of an account. */
interface AccountPlatform {
  /** As `bluesky`. */
  readonly name: string;
  /** What it makes of each operation, by the operation's name. */
  readonly capabilities: Readonly<Record<string, Capability | undefined>>;
}

/** How long a post may be through an account. */
interface AccountTextLimit extends TextLimit {
  /** Who set the limit, where platforms leave that to their servers. */
  readonly source?: string | undefined;
}

/** The accounts that rules may name, by the first word of a verb: `streaming`, `social`, `discord`, … */
export interface Accounts {
  readonly [client: string]: {
    readonly all: readonly string[];
    /** Those that are meant where a rule names none. */
    readonly defaults: readonly string[];
    /** How long a post may be, by account, where that is known. */
    readonly textLimits?: Readonly<Record<string, AccountTextLimit>> | undefined;
    /** Where each account is, where that is known. */
    readonly platforms?: Readonly<Record<string, AccountPlatform>> | undefined;
    /** How many requests a minute the platform allows an account, where that is known. */
    readonly requestsPerMinute?: Readonly<Record<string, number>> | undefined;
  };
}
