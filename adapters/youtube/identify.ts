import type { Clock } from '#src/clock.ts';
import { ignoreFaults } from '#src/http/errors.ts';
import { youtube } from './index.ts';

interface IdentifyOptions {
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/** Checks a key with a request for 1 unit of its quota. */
export async function identify(
  account: { readonly apiKey: string; readonly apiUrl: string; readonly siteUrl: string },
  { clock, signal }: IdentifyOptions,
): Promise<string> {
  await using platform = youtube({ ...account, clock });
  const found = platform.operations.getUser?.({ user: 'YouTube' }, { signal });
  if (found) await ignoreFaults(found, 'missing');
  return 'the key works';
}
