import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** An error answer of the platform. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';
  readonly status: ContentfulStatusCode;
  /** The code of the error. */
  readonly error: string;

  constructor(status: ContentfulStatusCode, error: string, message: string) {
    super(message);
    this.status = status;
    this.error = error;
  }
}

export const notFound = (what: string): Refusal => new Refusal(404, 'not_found', `There is no ${what}.`);
