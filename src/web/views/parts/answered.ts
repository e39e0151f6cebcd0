import type { Operations } from '../../client/operations.ts';
import { signal } from '../preact.mjs';

interface Answered {
  readonly operation: keyof Operations;
  /** The input without typed fields, which can be secrets. */
  readonly input: object;
  readonly answer: object;
}

/** The last answer to a form of the page. The server never has one, so that a secret in an answer is in no document. */
export const answered = signal<Answered | undefined>(undefined);
