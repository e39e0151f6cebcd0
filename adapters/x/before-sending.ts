import { PlatformError, type Fault } from '#src/errors.ts';

/** What leaves open whether something was done. */
const OPEN: ReadonlySet<Fault> = new Set(['unanswered', 'unavailable', 'malformed']);

/** What a write needs before it can be sent: where that fails, the write itself never left, and a repeat of it is safe. */
export async function beforeSending<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof PlatformError && OPEN.has(error.fault) && !error.part ? neverSent(error) : error;
  }
}

/** The same failure, of something that was to be done before. */
export function neverSent({ message, platform, status, retryAt, cause }: PlatformError): PlatformError {
  return new PlatformError(`${message} What was to follow was not sent.`, { platform, fault: 'unreachable', status, retryAt, cause });
}
