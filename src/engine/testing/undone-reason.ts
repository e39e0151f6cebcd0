import { withStepMessage } from '#src/rules/messages/format-step-reason.ts';
import type { Explained } from '#src/rules/reasons/reason.ts';
import type { StepReason } from '#src/rules/reasons/step-reason.ts';
import { formatDuration } from '#src/rules/messages/format.ts';

/** The reason why a step of a simulation is not done, or not yet. */
export type UndoneReason =
  | StepReason
  /** The target refuses, as the case says. Fanfare repeats the attempt after a pause, or gives up. */
  | { readonly kind: 'targetRefuses'; readonly againMs: number }
  | { readonly kind: 'targetRefused' }
  /** See `DeliveryReason`. */
  | { readonly kind: 'alreadyDeleted' | 'roleOfOther' };

/** A reason with its English message. */
export function withUndoneMessage(reason: UndoneReason): Explained<UndoneReason> {
  switch (reason.kind) {
    case 'targetRefuses':
      return { message: `the target fails in this case; Fanfare retries after ${formatDuration(reason.againMs)}`, reason };
    case 'targetRefused':
      return { message: 'the target failed at every retry', reason };
    case 'alreadyDeleted':
      return { message: 'the message, the post or the event was already deleted', reason };
    case 'roleOfOther':
      return { message: 'another open episode gave the same role to this member, and its end takes it', reason };
    case 'sameText':
      return { message: 'the content is the same as in the last message', reason };
    case 'unanswered':
      return { message: 'no one answered in time', reason };
    default:
      return withStepMessage(reason);
  }
}
