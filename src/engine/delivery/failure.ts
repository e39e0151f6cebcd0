import {
  ConfigError,
  CursorError,
  isDatabaseUnavailable,
  PlatformError,
  UnsupportedOperation,
  UnsupportedParameter,
  UserError,
  ValidationError,
  type Fault,
  messageOf,
} from '#src/errors.ts';
import type { Json } from '#src/clients/operation/json.ts';
import type { DeliveryError } from './delivery-error.ts';

/**
 * The next action after a failed attempt:
 * - `repeat`: nothing was done;
 * - `ask`: it may have been done;
 * - `stop`: nothing was done, and a repeat would fail as well.
 */
type Remedy = 'repeat' | 'ask' | 'stop';

/** A failed attempt with its next action. */
export interface Failure {
  readonly error: DeliveryError;
  readonly remedy: Remedy;
  /** When the platform accepts a repeat. */
  readonly retryAt?: Date | undefined;
  /** A record that the platform made instead of the requested one. */
  readonly record?: Json | undefined;
}

const REMEDIES: Readonly<Record<Fault, Remedy>> = {
  unreachable: 'repeat',
  unavailable: 'repeat',
  rateLimited: 'repeat',
  // Only a payment helps, unless the platform names a time.
  quotaExhausted: 'stop',
  // The operator may put the token right in the meantime.
  unauthorized: 'repeat',
  unanswered: 'ask',
  duplicate: 'ask',
  malformed: 'ask',
  forbidden: 'stop',
  missing: 'stop',
  rejected: 'stop',
};

const BEFORE_ANY_REQUEST = [ValidationError, CursorError, ConfigError, UserError];

/** Classifies the error of an attempt. */
export function failureOf(error: unknown): Failure {
  if (error instanceof PlatformError) {
    const { fault, message, retryAt, record } = error;
    // A repeat would make a second record.
    if (record !== undefined) return { error: { fault, message }, remedy: 'stop', record: record as Json }; // performStep made it JSON
    const passes = fault === 'quotaExhausted' && retryAt !== undefined;
    return { error: { fault, message }, remedy: passes ? 'repeat' : REMEDIES[fault], retryAt };
  }
  if (error instanceof UnsupportedOperation || error instanceof UnsupportedParameter) {
    return { error: { fault: 'unsupported', message: error.message }, remedy: 'stop' };
  }
  // Adapters read stored tokens and files, perhaps after the request.
  if (isDatabaseUnavailable(error)) return { error: { fault: 'unanswered', message: error.message }, remedy: 'ask' };
  if (BEFORE_ANY_REQUEST.some((known) => error instanceof known)) {
    return { error: { fault: 'invalid', message: messageOf(error) }, remedy: 'stop' };
  }
  // The message of an unexpected error may contain secrets.
  return { error: { fault: 'defect', message: 'a defect in Fanfare; the log has the details' }, remedy: 'ask' };
}
