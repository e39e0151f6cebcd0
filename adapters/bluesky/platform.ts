import { PlatformError, type Fault } from '#src/errors.ts';
import type { SocialPlatform } from '#src/social/social.ts';

export const PLATFORM = 'bluesky';

/** What Bluesky fills, by operation. */
export type Primitives = Required<SocialPlatform['operations']>;

/** What it can find again, by operation. */
export type Recoveries = Required<NonNullable<SocialPlatform['recover']>>;

/** A failure that the adapter words itself. */
export function failure(fault: Fault, message: string, cause?: unknown): PlatformError {
  const { status, retryAt } = cause instanceof PlatformError ? cause : {};
  return new PlatformError(`${PLATFORM}: ${message}`, { platform: PLATFORM, fault, status, retryAt, cause });
}

/** Whether an error says what `faults` name. */
export function isFault(error: unknown, ...faults: readonly Fault[]): error is PlatformError {
  return error instanceof PlatformError && faults.includes(error.fault);
}
