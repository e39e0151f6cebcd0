import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';

const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 15 * 60_000;

/** An account is not used at the moment: its platform did not accept its credentials. */
export class AccountPaused extends Error {
  override readonly name = 'AccountPaused';
}

interface Refusal {
  readonly pauseMs: number;
  readonly untilMs: number;
  readonly why: string;
}

/** Reads through an account, unless its credentials were refused a short while ago. */
export type UseAccount = <T>(account: string, use: () => Promise<T>) => Promise<T>;

/**
 * Gives accounts whose credentials are refused a rest that grows: who asks meanwhile gets an `AccountPaused`.
 *
 * After it one asks for all. The log says once that an account is refused, and once that it works again.
 */
export function restRefusedAccounts({ clock, log }: { readonly clock: Clock; readonly log: Log }): UseAccount {
  const refusals = new Map<string, Refusal>();
  const trials = new Map<string, Promise<unknown>>();

  async function attempt<T>(account: string, use: () => Promise<T>): Promise<T> {
    const before = refusals.get(account);
    try {
      const answer = await use();
      if (refusals.delete(account)) log.info({ account }, 'an account works again');
      return answer;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // Of several that were under way one counts.
      if (refusals.get(account) === before) refuse(account, error.message, before);
      throw error;
    }
  }

  function refuse(account: string, why: string, before: Refusal | undefined): void {
    const pauseMs = before ? Math.min(before.pauseMs * 2, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS;
    refusals.set(account, { pauseMs, untilMs: clock.nowMs() + pauseMs, why });
    if (!before) log.warn({ account, why }, 'the credentials of an account are refused: what it reads is paused until they are put right');
  }

  return async (account, use) => {
    // Another may be finding out whether it works again.
    while (trials.has(account)) await trials.get(account)?.catch(() => undefined);
    const refusal = refusals.get(account);
    if (!refusal) return attempt(account, use);
    // A clock that was set back makes no pause longer.
    const leftMs = Math.min(refusal.untilMs - clock.nowMs(), refusal.pauseMs);
    if (leftMs > 0) throw new AccountPaused(`paused: ${refusal.why} (asked again in ${Math.ceil(leftMs / 1000)}s)`);
    const trial = attempt(account, use).finally(() => trials.delete(account));
    trials.set(account, trial);
    return trial;
  };
}

function isRefusal(error: unknown): error is PlatformError {
  return error instanceof PlatformError && error.fault === 'unauthorized';
}
