import type { UnsupportedReason } from '#src/errors.ts';

interface Provided<S extends string> {
  readonly support: S;
  readonly endpoints: readonly string[];
}

/** An operation that the platform has, with the requests that it may take, for example `GET /streams`. */
export function native(...endpoints: readonly string[]): Provided<'native'> {
  return { support: 'native', endpoints };
}

/** An operation that Fanfare makes from several requests or from local state. */
export function composed(...endpoints: readonly string[]): Provided<'composed'> {
  return { support: 'composed', endpoints };
}

/** An operation, parameter or value that the platform does not have. */
export function unsupported(
  reason: UnsupportedReason,
  detail: string,
  alternatives: readonly string[] = [],
): {
  readonly support: 'unsupported';
  readonly reason: UnsupportedReason;
  readonly detail: string;
  readonly alternatives?: readonly string[];
} {
  return { support: 'unsupported', reason, detail, ...(alternatives.length > 0 && { alternatives }) };
}
