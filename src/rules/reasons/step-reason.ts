import type { Restriction } from '#src/clients/operation/audience.ts';
import type { Step } from '#src/rules/step.ts';
import type { Falsehood } from './falsehood.ts';

/** The reason of a skipped step. The store keeps it as JSON: a kind keeps its meaning and its fields. */
export type StepReason =
  /** A newer firing replaces it (`mode: restart`). */
  | { readonly kind: 'replaced' }
  /** The episode closed. */
  | { readonly kind: 'episodeEnded' }
  | { readonly kind: 'newerPoll' }
  /** The episode reopened. */
  | { readonly kind: 'itemReturned' }
  /** The value of the episode was removed from `each`. */
  | { readonly kind: 'removedFromEach' }
  /** The episode closed because of an edit of the rule. */
  | { readonly kind: 'endedByEdit' }
  | { readonly kind: 'stepIf'; readonly condition: Falsehood }
  /** `forEach` has no elements. `source` is its expression, if known. */
  | { readonly kind: 'emptyList'; readonly source?: string | undefined }
  /** All elements of `forEach` were skipped. */
  | { readonly kind: 'allElementsSkipped' }
  | { readonly kind: 'emptyParameter'; readonly parameter: string; readonly template: string }
  /** All optional parameters rendered empty. `issue` is the message of the schema. */
  | { readonly kind: 'emptyMessage'; readonly issue: string }
  /** Its `maxAge` was over before it could begin. */
  | { readonly kind: 'tooLate'; readonly untilMs: number }
  /** An earlier step with `onError: stop` failed. */
  | ({ readonly kind: 'earlierStepFailed' } & FailedStep)
  /** It reads the result of a failed look-up that the rule does not handle. */
  | { readonly kind: 'lookUpFailed'; readonly step: string; readonly account: string }
  /** It reads the result of a look-up whose record the platform does not have. */
  | { readonly kind: 'recordGone'; readonly step: string; readonly account: string }
  /** The look-up runs as the account of the item, and the platform of this account does not support it. */
  | { readonly kind: 'unsupported'; readonly account: string; readonly do: string }
  /** More people could read it than a record that it is made from. */
  | { readonly kind: 'widerAudience'; readonly restriction: Restriction }
  /** Its text is the text that was sent last. */
  | { readonly kind: 'sameText' }
  /** The part of the thread before it was not sent, or its record is unknown. */
  | { readonly kind: 'previousPartNotSent' | 'previousPartUnknown' }
  /** Its question got no answer in time. */
  | { readonly kind: 'unanswered' };

/** A failed step that stops later steps. */
export interface FailedStep {
  /** Its id, else its position from 0 without waits. */
  readonly step: string;
  /** For a step without an id: its position in the file, from 1. */
  readonly number?: number | undefined;
  readonly account: string;
}

/** A failed step as the reason of the steps that it stops. `index` is its position from 0 without waits. */
export function failedStepOf({
  step: { id, number },
  index,
  account,
}: {
  readonly step: Pick<Step, 'id' | 'number'>;
  readonly index: number;
  readonly account: string;
}): FailedStep {
  return id === undefined ? { step: String(index), number: number ?? index + 1, account } : { step: id, account };
}
