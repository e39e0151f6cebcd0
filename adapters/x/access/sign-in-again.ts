import { PlatformError } from '#src/errors.ts';

/** The error that only a new sign-in cures. */
export function signInAgain(
  account: string,
  what: string,
  { status, cause }: { readonly status?: number | undefined; readonly cause?: unknown } = {},
): PlatformError {
  const message = `x: ${what}: the account ${account} must sign in again, with \`fanfare auth ${account}\`.`;
  return new PlatformError(message, { platform: 'x', fault: 'unauthorized', status, cause });
}
