import type { Because } from '#src/rules/reasons/because.ts';
import type { StepReason } from '#src/rules/reasons/step-reason.ts';
import { durationText } from '#src/rules/wording/duration-text.ts';
import { stepReasonText } from '#src/rules/wording/reasons/step-reason-text.ts';

/** What else there is to say of a delivery. It is written down as it is: a kind keeps its meaning and its fields for ever. */
export type DeliveryReason =
  | StepReason
  /** The platform is not asked now; `text` is the adapter's word. */
  | { readonly kind: 'postponed'; readonly text: string }
  /** The operator's word on an unknown one. */
  | { readonly kind: 'saidSent' | 'saidAgain' }
  /** Nobody can find out whether it was sent. */
  | { readonly kind: 'cannotTell' | 'notFound'; readonly account: string }
  | { readonly kind: 'notAsked'; readonly account: string; readonly error: string }
  /** It was sent before the state was restored; or nobody can find out whether it was. */
  | { readonly kind: 'adopted' | 'restored'; readonly account: string }
  /** All attempts that were allowed failed: so many, or those in a length of time. */
  | { readonly kind: 'gaveUp'; readonly attempts?: number | undefined; readonly withinMs?: number | undefined }
  /** The message that it would change is not there. */
  | { readonly kind: 'gone' }
  /** It was done for each of so many. */
  | { readonly kind: 'each'; readonly count: number }
  /** Its rule was deleted. */
  | { readonly kind: 'retired' }
  /** A person paused its rule, or took the post back. */
  | { readonly kind: 'pausedBy' | 'takenBack'; readonly by: string };

/** A reason as a delivery has it. */
export function deliveryBecause(why: DeliveryReason): Because<DeliveryReason> {
  return { reason: deliveryReasonText(why), why };
}

/** What there is to say of a delivery, in English. */
function deliveryReasonText(why: DeliveryReason): string {
  switch (why.kind) {
    case 'postponed':
      return why.text;
    case 'saidSent':
      return 'so says the operator';
    case 'saidAgain':
      return 'the operator wants it sent again';
    case 'cannotTell':
      return `${why.account} cannot say whether it was sent; look there`;
    case 'notFound':
      return `${why.account} says that it has it already, but it is not to be found there`;
    case 'notAsked':
      return `${why.account} could not be asked whether it was sent: ${why.error}`;
    case 'adopted':
      return `${why.account} has it: it was sent before the state was restored`;
    case 'restored':
      return `it may have been sent through ${why.account} before the state was restored; look there`;
    case 'gaveUp':
      return `no attempt ${why.withinMs === undefined ? `of ${why.attempts}` : `within ${durationText(why.withinMs)}`} succeeded`;
    case 'gone':
      return 'the message was found missing before';
    case 'each':
      return `done for each of ${why.count}`;
    case 'retired':
      return 'the rule was deleted';
    case 'pausedBy':
      return `${why.by} paused the rule`;
    case 'takenBack':
      return `${why.by} took it back`;
    default:
      return stepReasonText(why);
  }
}
