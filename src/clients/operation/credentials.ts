import { ValidationError } from '#src/errors.ts';

/** Texts that no header can contain, or that a copied line leaves around a secret. */
const UNUSABLE = /^\s|\s$|\p{Cc}|[^\0-\xFF]/u;

/**
 * Checks the texts that an adapter cannot work without, by option; throws a `ValidationError` for the first invalid one.
 *
 * @param remedy - Where the caller gets them, as the end of a sentence.
 */
export function assertCredentials(platform: string, credentials: Readonly<Record<string, string | undefined>>, remedy: string): void {
  for (const [path, text] of Object.entries(credentials)) {
    // Programs in JavaScript can pass anything, for example an environment variable that is not set.
    if (typeof text !== 'string' || text.trim() === '') throw new ValidationError(`${platform}: ${path} is missing: ${remedy}.`, { path });
    if (UNUSABLE.test(text)) {
      const message = `${platform}: ${path} begins or ends with a space or a line break, or contains a character that cannot be sent: copy it again.`;
      throw new ValidationError(message, { path });
    }
  }
}
