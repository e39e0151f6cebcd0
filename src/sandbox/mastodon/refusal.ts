import type { JsonObject } from '#src/operation/json.ts';
import { wordInvalid, wordPlain, type InvalidName, type Locale, type PlainName } from './wording.ts';

/** The server says no; some of it is worded only where the language of whoever asks is known. */
export class MastodonRefusal extends Error {
  override readonly name = 'MastodonRefusal';
  readonly status: number;
  readonly #wordedIn: (locale: Locale) => JsonObject;

  constructor(status: number, body: JsonObject | ((locale: Locale) => JsonObject)) {
    super(`the server answers ${status}`);
    this.status = status;
    this.#wordedIn = typeof body === 'function' ? body : () => body;
  }

  body(locale: Locale): JsonObject {
    return this.#wordedIn(locale);
  }
}

export const recordNotFound = (): MastodonRefusal => new MastodonRefusal(404, { error: 'Record not found' });

export const notAllowed = (): MastodonRefusal => new MastodonRefusal(403, { error: 'This action is not allowed' });

/** 422 for what was sent. */
export function invalid(name: InvalidName, value?: string | number): MastodonRefusal {
  return new MastodonRefusal(422, (locale) => ({ error: wordInvalid(name, locale, value) }));
}

/** Likewise without calling it invalid, and for other statuses. */
export function refused(
  name: PlainName,
  { status = 422, value }: { readonly status?: number; readonly value?: string } = {},
): MastodonRefusal {
  return new MastodonRefusal(status, (locale) => ({ error: wordPlain(name, locale, value) }));
}
