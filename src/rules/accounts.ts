import type { Capability } from '#src/clients/operation/capability.ts';
import type { PostDefaults } from '#src/clients/operation/post-defaults.ts';
import type { TextLimit } from '#src/clients/operation/text/limit.ts';

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

const DISCORD = 'discord';

/** The Discord account that sends to all servers that the bot serves: `discord`, or else the first one. */
export function accountForAllServers(names: readonly string[]): string {
  return names.includes(DISCORD) ? DISCORD : (names[0] ?? DISCORD);
}

/** The accounts that rules may name, by the first part of a verb: `streaming`, `social`, `discord`, … */
export interface Accounts {
  readonly [client: string]: {
    readonly all: readonly string[];
    /** The accounts of a rule that names none. */
    readonly defaults: readonly string[];
    /** The known limits of posts, by account. */
    readonly textLimits?: Readonly<Record<string, AccountTextLimit>> | undefined;
    /** The usual limits of posts, by platform, for accounts that tests simulate. */
    readonly usualTextLimits?: Readonly<Record<string, TextLimit>> | undefined;
    /** The defaults of posts, by account. */
    readonly postDefaults?: Readonly<Record<string, PostDefaults>> | undefined;
    /** The known platforms, by account. */
    readonly platforms?: Readonly<Record<string, AccountPlatform>> | undefined;
    /** The names of the platforms, by account, for rules that read on all of them. */
    readonly platformNames?: Readonly<Record<string, string>> | undefined;
    /** The known number of requests a minute that the platform allows, by account. */
    readonly requestsPerMinute?: Readonly<Record<string, number>> | undefined;
    /** The requests that the platform allows at once, by account, if they are not a fifth of that number. */
    readonly requestBurst?: Readonly<Record<string, number>> | undefined;
    /** The share of that number that a request takes, by account and operation, if it is not 1. */
    readonly unitsPerRequest?: Readonly<Record<string, Readonly<Record<string, number>>>> | undefined;
    /** The number of users in one request, by account, if it is not the usual one. */
    readonly namesPerRequest?: Readonly<Record<string, number>> | undefined;
  };
}
