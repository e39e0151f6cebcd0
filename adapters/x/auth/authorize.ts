import type { PlatformError } from '#src/errors.ts';
import type { Signed } from './oauth1.ts';

/** The `Authorization` header of a request. */
export type Authorize = (request: Signed) => string;

/** A sign-in that X refused in a request. */
export interface Refused {
  readonly authorize: Authorize;
  /** The error if X refuses the sign-in in general. */
  readonly blame: () => PlatformError;
}
