import type { Explained } from '#src/rules/reasons/reason.ts';
import type { StepReason } from '#src/rules/reasons/step-reason.ts';
import { formatDuration } from '#src/rules/messages/format.ts';
import { formatStepReason } from '#src/rules/messages/format-step-reason.ts';

/** The reason of a delivery. It is stored as JSON: a kind keeps its meaning and its fields for ever. */
export type DeliveryReason =
  | StepReason
  /** The platform accepts the write later; `text` is the message of the adapter. */
  | { readonly kind: 'postponed'; readonly text: string }
  /** The operator decided on an unknown delivery. */
  | { readonly kind: 'saidSent' | 'saidAgain' }
  /** The platform cannot tell whether it was sent. */
  | { readonly kind: 'cannotTell' | 'notFound'; readonly account: string }
  | { readonly kind: 'notAsked'; readonly account: string; readonly error: string }
  /** It was sent before the state was restored, or it may have been. */
  | { readonly kind: 'adopted' | 'restored'; readonly account: string }
  /** All allowed attempts failed: a number of attempts, or those within a length of time. */
  | { readonly kind: 'gaveUp'; readonly attempts?: number | undefined; readonly withinMs?: number | undefined }
  /** The message to change is missing. */
  | { readonly kind: 'gone' }
  /** It was done for each of so many. */
  | { readonly kind: 'each'; readonly count: number }
  /** A person sent the failed delivery again. */
  | { readonly kind: 'resent'; readonly by: string }
  /** Its rule was deleted, or turned off. */
  | { readonly kind: 'retired' | 'disabled' }
  /** A person paused its rule, or took the post back. */
  | { readonly kind: 'pausedBy' | 'takenBack'; readonly by: string };

/** A reason with its English message. */
export function withDeliveryMessage(reason: DeliveryReason): Explained<DeliveryReason> {
  return { message: formatDeliveryReason(reason), reason };
}

/** The English message of a reason. */
function formatDeliveryReason(reason: DeliveryReason): string {
  switch (reason.kind) {
    case 'postponed':
      return reason.text;
    case 'saidSent':
      return 'marked by an operator';
    case 'saidAgain':
      return 'sent again by an operator';
    case 'cannotTell':
      return `${reason.account} does not report whether it was sent; check there`;
    case 'notFound':
      return `${reason.account} reports that it already exists, but it was not found there`;
    case 'notAsked':
      return `${reason.account} could not be searched for it: ${reason.error}`;
    case 'adopted':
      return `${reason.account} has it: it was sent before the state was restored`;
    case 'restored':
      return `it may have been sent through ${reason.account} before the state was restored; check there`;
    case 'gaveUp':
      return `no attempt ${reason.withinMs === undefined ? `of ${reason.attempts}` : `within ${formatDuration(reason.withinMs)}`} succeeded`;
    case 'gone':
      return 'the message was already deleted';
    case 'each':
      return `done for each of ${reason.count}`;
    case 'resent':
      return `${reason.by} sent it again`;
    case 'retired':
      return 'the rule was deleted';
    case 'disabled':
      return 'the rule was turned off';
    case 'pausedBy':
      return `${reason.by} paused the rule`;
    case 'takenBack':
      return `${reason.by} took it back`;
    default:
      return formatStepReason(reason);
  }
}
