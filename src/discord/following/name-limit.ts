import type { Clock } from '#src/clock.ts';
import { UserError } from '#src/errors.ts';
import { MOST_ENTRIES } from '#src/rules/grammar/list-file.ts';
import type { Caller } from '#src/discord/caller.ts';
import { countUses } from '#src/discord/count-uses.ts';
import { waitEnd } from '#src/discord/text/format.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Counts names that platforms are asked for. Throws a `UserError` if the server of the caller had too many in the last day. */
export type NameLimit = (names: number, caller: Caller) => void;

/**
 * The limit of names: as many in a day as a list can have. Each name is a request to each platform, and all servers share the quota of the account.
 * Operators of the installation have no limit.
 */
export function nameLimit(clock: Pick<Clock, 'nowMs'>): NameLimit {
  const count = countUses({ most: MOST_ENTRIES, perMs: DAY_MS, clock });
  return (names, caller) => {
    const { server, scope, texts } = caller;
    if (!server || (caller.may('operate') && !scope)) return;
    const freeAtMs = count(server.id, names);
    if (freeAtMs !== undefined) throw new UserError(texts.following.tooManyInDay(waitEnd(freeAtMs)));
  };
}
