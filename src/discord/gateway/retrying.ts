import { DiscordAPIError, DiscordjsError, DiscordjsErrorCodes } from 'discord.js';
import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import { PermanentClose } from './client.ts';
import { tokenRejected } from './gateway-info.ts';

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

export interface RetryOptions {
  /** Called with the reason of each failed attempt. */
  readonly onFailure: (problem: string) => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Repeats `attempt` until it succeeds. Rejects if a retry cannot help. */
export async function retrying<T>(attempt: () => Promise<T>, { onFailure, clock, log, signal }: RetryOptions): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      assertTemporary(error);
      const reason = error instanceof Error ? error.message : 'unknown error';
      const problem = error instanceof DiscordAPIError && error.status < 500 ? 'Discord rejects a request' : 'Discord cannot be reached';
      log.warn({ reason, pauseMs }, problem);
      onFailure(`${problem}: ${reason}`);
      await clock.sleep(pauseMs, signal);
    }
  }
}

/** Throws if a retry cannot help. */
function assertTemporary(cause: unknown): void {
  if (cause instanceof PermanentClose) throw cause;
  if (cause instanceof PlatformError && cause.fault === 'unauthorized') throw cause;
  if (cause instanceof DiscordjsError && cause.code === DiscordjsErrorCodes.TokenInvalid) throw tokenRejected(cause);
}
