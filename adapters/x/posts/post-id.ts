import { PlatformError } from '#src/errors.ts';
import { postIdIn } from '../wire/text.ts';

/** The id that an id or an address means; what can be neither is a `missing` PlatformError. */
export function postIdOf(identifier: string): string {
  const found = /^\d{1,19}$/.test(identifier) ? identifier : postIdIn(identifier);
  if (found !== undefined) return found;
  throw new PlatformError(`x has no post "${identifier}": give its id, or its address as https://x.com/…/status/….`, {
    platform: 'x',
    fault: 'missing',
  });
}
