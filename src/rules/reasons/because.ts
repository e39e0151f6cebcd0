import { reasonText } from '../wording/reasons/reason-text.ts';
import { stepReasonText } from '../wording/reasons/step-reason-text.ts';
import type { Reason } from './reason.ts';
import type { StepReason } from './step-reason.ts';

/** A reason as an English sentence, which is what most readers want, and as what it is made from, for those who say it otherwise. */
export interface Because<R> {
  readonly reason: string;
  /** Absent: nothing but the sentence is known, as of what an earlier version wrote down. */
  readonly why?: R | undefined;
}

/** A reason of a decision. */
export function because(why: Reason): Because<Reason> {
  return { reason: reasonText(why), why };
}

/** A reason not to do a step. */
export function stepBecause(why: StepReason): Because<StepReason> {
  return { reason: stepReasonText(why), why };
}
