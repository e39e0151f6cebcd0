import type { Explained } from '#src/rules/reasons/reason.ts';
import type { StepReason } from '#src/rules/reasons/step-reason.ts';
import { formatFalsehood } from './format-falsehood.ts';

const RECORDS = { followers: 'a post for followers', direct: 'a direct post or message' } as const;

/** The English message of the reason of a step. */
export function formatStepReason(reason: StepReason): string {
  switch (reason.kind) {
    case 'replaced':
      return 'mode restart: a newer firing replaced it';
    case 'episodeEnded':
      return 'the episode ended';
    case 'newerPoll':
      return 'a newer poll replaced it';
    case 'itemReturned':
      return 'the item returned';
    case 'removedFromEach':
      return 'its value was removed from each';
    case 'endedByEdit':
      return 'the episode ended because of an edit of the rule or the list, which is not announced';
    case 'stepIf':
      return `if: ${formatFalsehood(reason.condition)}`;
    case 'emptyList':
      return reason.source === undefined ? 'the list of forEach is empty' : `forEach: ${reason.source} is empty`;
    case 'allElementsSkipped':
      return 'the step was skipped for all elements of forEach';
    case 'emptyParameter':
      return `${reason.parameter} is empty: ${reason.template}`;
    case 'emptyMessage':
      return reason.issue;
    case 'tooLate':
      return `too late: the maxAge of the step ended at ${new Date(reason.untilMs).toISOString()}`;
    case 'earlierStepFailed':
      return `step ${reason.number ?? reason.step} failed on ${reason.account}, and it has onError: stop`;
    case 'lookUpFailed':
      return `the look-up ${reason.step} failed on ${reason.account}, and this step reads its result`;
    case 'recordGone':
      return `${reason.account} does not have the record of the look-up ${reason.step}, and this step reads it`;
    case 'unsupported':
      return `${reason.account} does not support ${reason.do}; its result is empty`;
    case 'widerAudience':
      return `it is made from ${RECORDS[reason.restriction]}, and more people could read it; audience: public sends it anyway`;
    case 'sameText':
      return 'unchanged';
    case 'previousPartNotSent':
      return 'the previous part of the thread was not sent';
    case 'previousPartUnknown':
      return 'it is unknown whether the previous part of the thread was sent';
    case 'unanswered':
      return 'no one answered';
  }
}

/** The reason of a step with its message. */
export function withStepMessage(reason: StepReason): Explained<StepReason> {
  return { message: formatStepReason(reason), reason };
}
