import type { Clock } from '#src/clock.ts';
import { PlatformError, type Fault } from '#src/errors.ts';
import type { Log } from '#src/log.ts';

interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
  /** The message for the log. */
  readonly why: string;
}

/** The faults that pause an account. */
const BACKOFFS: Readonly<Partial<Record<Fault, Backoff>>> = {
  unauthorized: {
    firstMs: 60_000,
    longestMs: 15 * 60_000,
    why: 'the platform rejects the credentials of an account: its polls are paused until it has new ones',
  },
  quotaExhausted: {
    firstMs: 15 * 60_000,
    longestMs: 60 * 60_000,
    why: 'the quota of an account is used up: its polls are paused until it is renewed',
  },
};

/** The account is paused because its platform refused the last request. */
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
  untilMs: number;
  readonly why: string;
  readonly credentials: string | undefined;
}

export interface RefusedAccountsOptions {
  /** Identifies the credentials of an account. New credentials end its pause. */
  readonly credentialsOf?: ((account: string) => Promise<string | undefined>) | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** Runs a request of an account unless the account is paused. */
export type UseAccount = <T>(account: string, use: () => Promise<T>) => Promise<T>;

/**
 * Pauses an account whose credentials are refused or whose quota is used up. The pause grows. Requests in a pause reject with
 * `AccountPaused`.
 *
 * After a pause, one request probes the account for all others. The log has one line for the refusal and one for the recovery.
 */
export function pauseRefusedAccounts({ credentialsOf = async () => undefined, clock, log }: RefusedAccountsOptions): UseAccount {
  const refusals = new Map<string, Refusal>();
  const probes = new Map<string, Promise<unknown>>();

  async function attempt<T>(account: string, use: () => Promise<T>): Promise<T> {
    const before = refusals.get(account);
    try {
      const answer = await use();
      if (refusals.delete(account)) log.info({ account }, 'an account can be polled again');
      return answer;
    } catch (error) {
      const backoff = error instanceof PlatformError ? BACKOFFS[error.fault] : undefined;
      if (!(error instanceof PlatformError) || !backoff) throw error;
      // Of several refused requests at the same time, one counts.
      const credentials = await credentialsOf(account);
      if (refusals.get(account) === before) refuse(account, error, { backoff, before, credentials });
      throw error;
    }
  }

  function refuse(
    account: string,
    { fault, message: why }: PlatformError,
    {
      backoff,
      before,
      credentials,
    }: { readonly backoff: Backoff; readonly before: Refusal | undefined; readonly credentials: string | undefined },
  ): void {
    const isSame = before?.fault === fault;
    const pauseMs = isSame ? Math.min(before.pauseMs * 2, backoff.longestMs) : backoff.firstMs;
    refusals.set(account, { fault, pauseMs, untilMs: clock.nowMs() + pauseMs, why, credentials });
    if (!isSame) log.warn({ account, why }, backoff.why);
  }

  return async (account, use) => {
    const before = refusals.get(account);
    const isOther = before !== undefined && (await credentialsOf(account)) !== before.credentials;
    // Another request may be probing the account.
    while (probes.has(account)) await probes.get(account)?.catch(() => undefined);
    const refusal = refusals.get(account);
    if (!refusal) return attempt(account, use);
    // After a step back of the clock, the whole pause counts from now.
    refusal.untilMs = Math.min(refusal.untilMs, clock.nowMs() + refusal.pauseMs);
    const leftMs = refusal.untilMs - clock.nowMs();
    if (leftMs > 0 && !(isOther && refusal === before))
      throw new AccountPaused(`paused: ${refusal.why} (asked again in ${Math.ceil(leftMs / 1000)}s)`, refusal.fault);
    const probe = attempt(account, use).finally(() => probes.delete(account));
    probes.set(account, probe);
    return probe;
  };
}

/** Whether the error concerns the whole account, which has its own log line. */
export function isAccountError(error: unknown): boolean {
  return error instanceof AccountPaused || (error instanceof PlatformError && BACKOFFS[error.fault] !== undefined);
}
