import type { Explained } from '#src/rules/reasons/reason.ts';
import type { StepReason } from '#src/rules/reasons/step-reason.ts';
import { formatDuration } from '#src/rules/messages/format.ts';
import { formatStepReason } from '#src/rules/messages/format-step-reason.ts';

/** The reason of a delivery. It is stored as JSON: a kind never changes its meaning and its fields. */
export type DeliveryReason =
  | StepReason
  /** The platform accepts the write later; `message` is the text of the adapter. */
  | { readonly kind: 'postponed'; readonly message: string }
  /** The operator decided on an unknown delivery. */
  | { readonly kind: 'resolvedSent' | 'resolvedAgain' }
  /** The platform cannot tell whether it was sent. */
  | { readonly kind: 'notSearchable' | 'notFound'; readonly account: string }
  | { readonly kind: 'searchFailed'; readonly account: string; readonly error: string }
  /** It was sent before the state was restored, or it may have been. */
  | { readonly kind: 'sentBeforeRestore' | 'maybeSentBeforeRestore'; readonly account: string }
  /** All allowed attempts failed: a number of attempts, or those within a length of time. */
  | { readonly kind: 'retriesExhausted'; readonly attempts?: number | undefined; readonly withinMs?: number | undefined }
  /** The message, the post or the event to change is missing. */
  | { readonly kind: 'alreadyDeleted' }
  /** Another open episode gave the role to the same member. */
  | { readonly kind: 'roleOfOther' }
  /** `forEach`: the step was delivered for each of `count` elements. */
  | { readonly kind: 'forEachDone'; readonly count: number }
  /** A person sent the failed delivery again. */
  | { readonly kind: 'resent'; readonly by: string }
  /** Its rule was deleted, or turned off. */
  | { readonly kind: 'ruleDeleted' | 'ruleDisabled' }
  /** A person paused its rule, or took the post back. */
  | { readonly kind: 'rulePaused' | 'postWithdrawn'; readonly by: string }
  /** A person muted its item until the episode ends. */
  | { readonly kind: 'itemMuted'; readonly by: string }
  /** The steps that wait for the answer to this question were withdrawn before the answer. */
  | { readonly kind: 'nextStepsWithdrawn'; readonly because: StopReason };

/** Why a person stopped what a rule did not send yet. */
export type StopReason =
  | { readonly kind: 'ruleDeleted' | 'ruleDisabled' }
  | { readonly kind: 'rulePaused' | 'itemMuted'; readonly by: string };

const STOPS: ReadonlySet<string> = new Set<StopReason['kind']>(['ruleDeleted', 'ruleDisabled', 'rulePaused', 'itemMuted']);

/** Whether a person stopped a delivery. */
export function isStop(reason: DeliveryReason | undefined): reason is StopReason {
  return reason !== undefined && STOPS.has(reason.kind);
}

/** A reason with its English message. */
export function withDeliveryMessage(reason: DeliveryReason): Explained<DeliveryReason> {
  return { message: formatDeliveryReason(reason), reason };
}

/** The English message of a reason. */
function formatDeliveryReason(reason: DeliveryReason): string {
  switch (reason.kind) {
    case 'postponed':
      return reason.message;
    case 'resolvedSent':
      return 'marked by an operator';
    case 'resolvedAgain':
      return 'sent again by an operator';
    case 'notSearchable':
      return `${reason.account} does not report whether it was sent; check there`;
    case 'notFound':
      return `${reason.account} reports that it already exists, but it was not found there`;
    case 'searchFailed':
      return `${reason.account} could not be searched for it: ${reason.error}`;
    case 'sentBeforeRestore':
      return `${reason.account} has it: it was sent before the state was restored`;
    case 'maybeSentBeforeRestore':
      return `it may have been sent through ${reason.account} before the state was restored; check there`;
    case 'retriesExhausted':
      return `no attempt ${reason.withinMs === undefined ? `of ${reason.attempts}` : `within ${formatDuration(reason.withinMs)}`} succeeded`;
    case 'alreadyDeleted':
      return 'the message, the post or the event was already deleted';
    case 'roleOfOther':
      return 'another open episode gave the same role to this member, and its end takes it';
    case 'forEachDone':
      return `done for each of ${reason.count}`;
    case 'resent':
      return `${reason.by} sent it again`;
    case 'ruleDeleted':
      return 'the rule was deleted';
    case 'ruleDisabled':
      return 'the rule was turned off';
    case 'rulePaused':
      return `${reason.by} paused the rule`;
    case 'itemMuted':
      return `${reason.by} muted the item until it ends`;
    case 'postWithdrawn':
      return `${reason.by} took it back`;
    case 'nextStepsWithdrawn': {
      const after = reason.because.kind === 'rulePaused' ? '; they are not sent after the pause either' : '';
      return `${formatDeliveryReason(reason.because)}, and new messages after this question were withdrawn before the answer${after}`;
    }
    default:
      return formatStepReason(reason);
  }
}
