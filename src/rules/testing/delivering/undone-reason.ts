import { stepBecause, type Because } from '../../reasons/because.ts';
import type { StepReason } from '../../reasons/step-reason.ts';
import { durationText } from '../../wording/duration-text.ts';

/** Why a step of a case was not done, or not yet. */
export type UndoneReason =
  | StepReason
  /** Its target refuses, as the case says: it is tried again after a while, or no more. */
  | { readonly kind: 'targetRefuses'; readonly againMs: number }
  | { readonly kind: 'targetRefused' };

/** The reason as a step of a case has it. */
export function undoneBecause(why: UndoneReason): Because<UndoneReason> {
  switch (why.kind) {
    case 'targetRefuses':
      return { reason: `its target refuses; tried again after ${durationText(why.againMs)}`, why };
    case 'targetRefused':
      return { reason: 'its target refused to the last', why };
    case 'same':
      return { reason: 'it would say what was said last', why };
    case 'unanswered':
      return { reason: 'nobody answered in time', why };
    default:
      return stepBecause(why);
  }
}
