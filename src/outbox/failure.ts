import {
  ConfigError,
  CursorError,
  PlatformError,
  UnsupportedOperation,
  UnsupportedParameter,
  UserError,
  ValidationError,
  type Fault,
} from '#src/errors.ts';
import type { Json } from '#src/operation/json.ts';
import type { DeliveryError } from './delivery.ts';

/**
 * What may follow a failed attempt:
 * - `repeat`: nothing was done;
 * - `ask`: it may have been done;
 * - `stop`: nothing was done, and a repeat would fail as well.
 */
type Remedy = 'repeat' | 'ask' | 'stop';

/** A failed attempt, by what may follow it. */
export interface Failure {
  readonly error: DeliveryError;
  readonly remedy: Remedy;
  /** The platform's own word on when to come back. */
  readonly retryAt?: Date | undefined;
  /** What the platform made although it is not what was asked for. */
  readonly record?: Json | undefined;
}

const REMEDIES: Readonly<Record<Fault, Remedy>> = {
  unreachable: 'repeat',
  unavailable: 'repeat',
  rateLimited: 'repeat',
  // Only whoever pays can help, unless the platform says that time will.
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

/** What an attempt that threw `error` came to. */
export function failureOf(error: unknown): Failure {
  if (error instanceof PlatformError) {
    const { fault, message, retryAt, record } = error;
    // Whatever the fault: a repeat would make another one.
    if (record !== undefined) return { error: { fault, message }, remedy: 'stop', record: record as Json }; // performStep made it JSON
    const passes = fault === 'quotaExhausted' && retryAt !== undefined;
    return { error: { fault, message }, remedy: passes ? 'repeat' : REMEDIES[fault], retryAt };
  }
  if (error instanceof UnsupportedOperation || error instanceof UnsupportedParameter) {
    return { error: { fault: 'unsupported', message: error.message }, remedy: 'stop' };
  }
  if (BEFORE_ANY_REQUEST.some((known) => error instanceof known)) {
    return { error: { fault: 'invalid', message: messageOf(error) }, remedy: 'stop' };
  }
  // Its message was written for nobody in particular and may hold anything.
  return { error: { fault: 'defect', message: 'a defect in Fanfare; the log has the details' }, remedy: 'ask' };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
