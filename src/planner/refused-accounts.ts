import type { Clock } from '#src/clock.ts';
import { PlatformError, type Fault } from '#src/errors.ts';
import type { Log } from '#src/log.ts';

interface Rest {
  readonly firstMs: number;
  readonly longestMs: number;
  /** For the log. */
  readonly why: string;
}

/** After what an account is left alone for a while. */
const RESTS: Readonly<Partial<Record<Fault, Rest>>> = {
  unauthorized: {
    firstMs: 60_000,
    longestMs: 15 * 60_000,
    why: 'the credentials of an account are refused: what it reads is paused until they are put right',
  },
  quotaExhausted: {
    firstMs: 15 * 60_000,
    longestMs: 60 * 60_000,
    why: 'what an account may use is used up: what it reads is paused until there is more',
  },
};

/** An account is not used at the moment: its platform refuses all that it asks. */
export class AccountPaused extends Error {
  override readonly name = 'AccountPaused';
  readonly fault: Fault;

  constructor(message: string, fault: Fault) {
    super(message);
    this.fault = fault;
  }
}

interface Refusal {
  readonly fault: Fault;
  readonly pauseMs: number;
  readonly untilMs: number;
  readonly why: string;
  /** What the account was signed in with. */
  readonly credentials: string | undefined;
}

export interface RestOptions {
  /** Names what an account is signed in with; something else ends its pause. */
  readonly credentialsOf?: ((account: string) => Promise<string | undefined>) | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** Reads through an account, unless it was refused a short while ago. */
export type UseAccount = <T>(account: string, use: () => Promise<T>) => Promise<T>;

/**
 * Gives accounts whose credentials are refused, or whose quota is used up, a rest that grows: who asks meanwhile gets an `AccountPaused`.
 *
 * After it one asks for all. The log says once that an account is refused, and once that it works again.
 */
export function restRefusedAccounts({ credentialsOf = async () => undefined, clock, log }: RestOptions): UseAccount {
  const refusals = new Map<string, Refusal>();
  const trials = new Map<string, Promise<unknown>>();

  async function attempt<T>(account: string, use: () => Promise<T>): Promise<T> {
    const before = refusals.get(account);
    try {
      const answer = await use();
      if (refusals.delete(account)) log.info({ account }, 'an account works again');
      return answer;
    } catch (error) {
      const rest = error instanceof PlatformError ? RESTS[error.fault] : undefined;
      if (!(error instanceof PlatformError) || !rest) throw error;
      // Of several that were under way one counts.
      const credentials = await credentialsOf(account);
      if (refusals.get(account) === before) refuse(account, error, { rest, before, credentials });
      throw error;
    }
  }

  function refuse(
    account: string,
    { fault, message: why }: PlatformError,
    { rest, before, credentials }: { readonly rest: Rest; readonly before: Refusal | undefined; readonly credentials: string | undefined },
  ): void {
    const isSame = before?.fault === fault;
    const pauseMs = isSame ? Math.min(before.pauseMs * 2, rest.longestMs) : rest.firstMs;
    refusals.set(account, { fault, pauseMs, untilMs: clock.nowMs() + pauseMs, why, credentials });
    if (!isSame) log.warn({ account, why }, rest.why);
  }

  return async (account, use) => {
    const before = refusals.get(account);
    const isOther = before !== undefined && (await credentialsOf(account)) !== before.credentials;
    // Another may be finding out whether it works again.
    while (trials.has(account)) await trials.get(account)?.catch(() => undefined);
    const refusal = refusals.get(account);
    if (!refusal) return attempt(account, use);
    // A clock that was set back makes no pause longer.
    const leftMs = Math.min(refusal.untilMs - clock.nowMs(), refusal.pauseMs);
    if (leftMs > 0 && !(isOther && refusal === before))
      throw new AccountPaused(`paused: ${refusal.why} (asked again in ${Math.ceil(leftMs / 1000)}s)`, refusal.fault);
    const trial = attempt(account, use).finally(() => trials.delete(account));
    trials.set(account, trial);
    return trial;
  };
}

/** Whether the log is told of a failure as one of the whole account. */
export function isOfAccount(error: unknown): boolean {
  return error instanceof AccountPaused || (error instanceof PlatformError && RESTS[error.fault] !== undefined);
}
