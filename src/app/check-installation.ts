import type { CheckReason } from '#src/admin/doctor/check-reason.ts';
import { failedCheck, type CheckResult } from '#src/admin/doctor/check-result.ts';
import { secretsOf } from '#src/config/accounts.ts';
import { openConfig } from '#src/config/open-config.ts';
import { ConfigError } from '#src/errors.ts';
import { withoutSecrets } from '#src/log.ts';
import { openDoctor } from './open-doctor.ts';

/** The checks of `fanfare doctor`, from a running process. They take seconds, and send no messages. */
export async function checkInstallation(
  environment: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<readonly CheckResult[]> {
  try {
    const clean = withoutSecrets(secretsOf(openConfig(environment)));
    // The results have the errors, and a message of a platform needs no second line in the log.
    await using doctor = await openDoctor({ environment, write: () => undefined });
    const results = await Array.fromAsync(doctor.examine(signal));
    return results.map(({ reason, ...one }) => ({
      ...one,
      what: clean(one.what),
      remedy: one.remedy && clean(one.remedy),
      ...(reason && { reason: cleanReason(reason, clean) }),
    }));
  } catch (error) {
    // People edit the configuration while Fanfare runs.
    if (error instanceof ConfigError) return [error, ...error.others].map((one) => failedCheck('the configuration', one));
    throw error;
  }
}

/** A reason without secrets in its texts. */
function cleanReason(reason: CheckReason, clean: (text: string) => string): CheckReason {
  const texts = Object.entries(reason).map(([name, value]) => [name, typeof value === 'string' ? clean(value) : value] as const);
  return Object.fromEntries(texts) as CheckReason; // the same fields
}
