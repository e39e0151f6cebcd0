import type { Capability } from '#src/operation/capability.ts';
import type { TextLimit } from '#src/operation/text/limit.ts';

/** The platform of an account, for the checks of a rule. */
interface AccountPlatform {
  /** The name, for example `bluesky`. */
  readonly name: string;
  /** The support for each operation, by name. */
  readonly capabilities: Readonly<Record<string, Capability | undefined>>;
}

/** The maximum length of a post of an account. */
interface AccountTextLimit extends TextLimit {
  /** The origin of the limit, if servers of the platform can set it. */
  readonly source?: string | undefined;
}

/** The accounts that rules may name, by the first part of a verb: `streaming`, `social`, `discord`, … */
export interface Accounts {
  readonly [client: string]: {
    readonly all: readonly string[];
    /** The accounts of a rule that names none. */
    readonly defaults: readonly string[];
    /** The known limits of posts, by account. */
    readonly textLimits?: Readonly<Record<string, AccountTextLimit>> | undefined;
    /** The known platforms, by account. */
    readonly platforms?: Readonly<Record<string, AccountPlatform>> | undefined;
    /** The known number of requests a minute that the platform allows, by account. */
    readonly requestsPerMinute?: Readonly<Record<string, number>> | undefined;
  };
}
