import type { Clock } from '#src/clock.ts';
import { UserError } from '#src/errors.ts';
import type { Caller } from '#src/discord/caller.ts';
import { countUses, type CountUse } from '#src/discord/count-uses.ts';
import { waitEnd } from '#src/discord/text/format.ts';
import { titleOf } from './accounts.ts';

/** As many as commands of rules. */
const MOST_OF_MEMBER = 10;
const MOST_IN_SERVER = 30;

const DAY_MS = 24 * 60 * 60_000;
/** YouTube allows 100 searches a day, and rules search too. */
const SEARCHES = { ofMember: 5, inServer: 20, ofAll: 50 } as const;

/** Counts a look-up that the operator pays for. Throws a `UserError` if the caller or the server had too many in the last minute. */
export type LookupLimit = (caller: Caller) => void;

/** The limit of look-ups that the operator pays for. Operators of the installation have none. */
export function lookupLimit(clock: Pick<Clock, 'nowMs'>): LookupLimit {
  const countOfMember = countUses({ most: MOST_OF_MEMBER, clock });
  const countInServer = countUses({ most: MOST_IN_SERVER, clock });
  return (caller) => {
    const { id, server, scope, texts } = caller;
    if (caller.may('operate') && !scope) return;
    const memberFreeMs = countOfMember.freeAtMs(id);
    if (memberFreeMs !== undefined) throw new UserError(texts.ruleCommands.tooMany(waitEnd(memberFreeMs)));
    const serverFreeMs = server && countInServer.freeAtMs(server.id);
    if (serverFreeMs !== undefined) throw new UserError(texts.lookups.tooManyHere(waitEnd(serverFreeMs)));
    // A refused look-up uses up nothing, so that the stated time is right.
    countOfMember(id);
    if (server) countInServer(server.id);
  };
}

/** Counts a search on a platform that allows few a day. Throws a `UserError` if the caller, the server or all members had too many in the last day. */
export type SearchLimit = (platform: string, caller: Caller) => void;

/** The limit of searches on each platform that allows few a day. Operators of the installation have none. */
export function searchLimit(clock: Pick<Clock, 'nowMs'>): SearchLimit {
  const countOf = (most: number) => countUses({ most, perMs: DAY_MS, clock });
  const [countOfMember, countInServer, countOfAll] = [countOf(SEARCHES.ofMember), countOf(SEARCHES.inServer), countOf(SEARCHES.ofAll)];
  return (platform, caller) => {
    const { id, server, scope, texts } = caller;
    if (caller.may('operate') && !scope) return;
    const counts: readonly (readonly [CountUse, key: string])[] = [
      [countOfMember, `${platform} ${id}`],
      ...(server ? [[countInServer, `${platform} ${server.id}`] as const] : []),
      [countOfAll, platform],
    ];
    const freeMs = counts.flatMap(([count, key]) => count.freeAtMs(key) ?? []);
    if (freeMs.length > 0) throw new UserError(texts.lookups.fewSearches(titleOf(platform), waitEnd(Math.max(...freeMs))));
    for (const [count, key] of counts) count(key);
  };
}
