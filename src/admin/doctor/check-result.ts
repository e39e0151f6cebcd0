import { ConfigError, PlatformError, messageOf } from '#src/errors.ts';
import type { CheckReason } from './check-reason.ts';
import { withoutName } from '#src/admin/queries/accounts.ts';
import { locationText } from '#src/rules/diagnostic.ts';

/** The result of one check. */
export interface CheckResult {
  /** The checked account or part, for example `x` or `the clock`. */
  readonly about: string;
  /** `bad`: something does not work. `warning`: something may stop working or works badly. */
  readonly state: 'good' | 'warning' | 'bad';
  /** The result as text. */
  readonly what: string;
  /** How to fix it. */
  readonly remedy?: string | undefined;
  /** The data of both texts. Absent for texts of adapters and of the configuration. */
  readonly reason?: CheckReason | undefined;
}

/** The result of a check that failed with an error. */
export function failedCheck(about: string, error: unknown): CheckResult {
  const text = messageOf(error);
  const message = error instanceof ConfigError ? `${locationText(error)}: ${text}` : text;
  const what = error instanceof PlatformError ? withoutName(message, about) : message;
  const remedy = error instanceof Error && 'hint' in error && typeof error.hint === 'string' ? error.hint : undefined;
  return {
    about,
    state: 'bad',
    what,
    remedy,
    ...(error instanceof PlatformError && { reason: { kind: 'failed', fault: error.fault, message: what } }),
  };
}
