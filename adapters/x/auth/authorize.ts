import { PlatformError } from '#src/errors.ts';
import type { Signed } from './oauth1.ts';

/** The `Authorization` header of a request. */
export type Authorize = (request: Signed) => string;

/** A sign-in that X refused in a request. */
export interface Refused {
  readonly authorize: Authorize;
  /** The error if X refuses the sign-in in general. */
  readonly blame: () => PlatformError;
}

/** The refusal of one request as `unauthorized`. The sign-in of the account is valid, so a new one changes nothing. */
export class RefusedRequest extends PlatformError {}
