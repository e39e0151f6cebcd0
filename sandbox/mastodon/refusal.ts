/** An error answer of the server: a status and Mastodon's message. */
export class MastodonRefusal extends Error {
  override readonly name = 'MastodonRefusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const recordNotFound = (): MastodonRefusal => new MastodonRefusal(404, 'Record not found');
export const routeNotFound = (): MastodonRefusal => new MastodonRefusal(404, 'Not Found');
export const notAllowed = (): MastodonRefusal => new MastodonRefusal(403, 'This action is not allowed');
export const tooManyRequests = (): MastodonRefusal => new MastodonRefusal(429, 'Too many requests');

/** 422 for a value that the server does not accept. */
export const invalid = (message: string): MastodonRefusal => new MastodonRefusal(422, `Validation failed: ${message}`);
