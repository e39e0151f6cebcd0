import type { Fault } from '#src/errors.ts';

/** Why an attempt failed. */
export interface DeliveryError {
  /** A platform's fault, or ours: no such operation, a wrong parameter, an expression, a defect in Fanfare. */
  readonly fault: Fault | 'unsupported' | 'invalid' | 'expression' | 'defect';
  readonly message: string;
}
