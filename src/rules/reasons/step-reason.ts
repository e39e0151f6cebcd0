import type { Falsehood } from './falsehood.ts';
import type { Stopper } from './stopper.ts';

/** Why a step is not done. It is written down as it is: a kind keeps its meaning and its fields for ever. */
export type StepReason =
  /** `mode: restart`, and a newer firing is there. */
  | { readonly kind: 'replaced' }
  | { readonly kind: 'over' }
  | { readonly kind: 'newerPoll' }
  | { readonly kind: 'goesOn' }
  /** The episode's value of `each` was taken out of the rule. */
  | { readonly kind: 'valueRemoved' }
  | { readonly kind: 'stepIf'; readonly because: Falsehood }
  /** `forEach` has no elements; absent: which expression gave them is not known any more. */
  | { readonly kind: 'emptyList'; readonly source?: string | undefined }
  /** It has some, and for none of them there is anything to do. */
  | { readonly kind: 'noneOfList' }
  | { readonly kind: 'emptyParameter'; readonly parameter: string; readonly written: string }
  /** All that it could have said came out empty; `issue` says what it lacks. */
  | { readonly kind: 'emptySaying'; readonly issue: string }
  /** Its `maxAge` was over before its turn came. */
  | { readonly kind: 'tooLate'; readonly untilMs: number }
  /** A step before it failed that has `onError: stop`. */
  | ({ readonly kind: 'stopped' } & Stopper)
  /** It reads the result of a look-up that failed, and the rule does not handle that. */
  | { readonly kind: 'lookUpFailed'; readonly step: string; readonly account: string }
  /** It would say what was said last. */
  | { readonly kind: 'same' }
  /** Of a thread, the part before it was not sent, or nobody knows its record. */
  | { readonly kind: 'partUnsent' | 'partUnknown' }
  /** It asked, and nobody said anything in time. */
  | { readonly kind: 'unanswered' };
