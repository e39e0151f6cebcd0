import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** What the platform answers instead of doing what it was asked. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';
  readonly status: ContentfulStatusCode;
  /** One word for programs. */
  readonly error: string;

  constructor(status: ContentfulStatusCode, error: string, message: string) {
    super(message);
    this.status = status;
    this.error = error;
  }
}

export const notFound = (what: string): Refusal => new Refusal(404, 'not_found', `There is no ${what}.`);
