import type { Clock } from '#src/clock.ts';
import { UserError } from '#src/errors.ts';
import type { Caller } from '#src/discord/caller.ts';
import { countUses } from '#src/discord/count-uses.ts';
import { waitEnd } from '#src/discord/text/format.ts';

/** As many as commands of rules. */
const MOST_OF_MEMBER = 10;
const MOST_IN_SERVER = 30;

/** Counts a look-up that the operator pays for. Throws a `UserError` if the caller or the server had too many in the last minute. */
export type LookupLimit = (caller: Caller) => void;

/** The limit of look-ups that the operator pays for. Operators of the installation have none. */
export function lookupLimit(clock: Pick<Clock, 'nowMs'>): LookupLimit {
  const countOfMember = countUses({ most: MOST_OF_MEMBER, clock });
  const countInServer = countUses({ most: MOST_IN_SERVER, clock });
  return (caller) => {
    const { id, server, scope, texts } = caller;
    if (caller.may('operate') && !scope) return;
    const memberFreeMs = countOfMember(id);
    if (memberFreeMs !== undefined) throw new UserError(texts.ruleCommands.tooMany(waitEnd(memberFreeMs)));
    const serverFreeMs = server && countInServer(server.id);
    if (serverFreeMs !== undefined) throw new UserError(texts.lookups.tooManyHere(waitEnd(serverFreeMs)));
  };
}
