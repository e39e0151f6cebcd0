import type { Explained } from '../reasons/reason.ts';
import type { StepReason } from '../reasons/step-reason.ts';
import { formatFalsehood } from './format-falsehood.ts';

const RECORDS = { followers: 'a post for followers', direct: 'a direct post or message' } as const;

/** The English message of the reason of a step. */
export function formatStepReason(reason: StepReason): string {
  switch (reason.kind) {
    case 'replaced':
      return 'mode restart: a newer firing replaced it';
    case 'over':
      return 'the episode ended';
    case 'newerPoll':
      return 'a newer poll replaced it';
    case 'keepsRunning':
      return 'the item returned';
    case 'valueRemoved':
      return 'its value was removed from each';
    case 'endedByEdit':
      return 'the episode ended because of an edit of the rule, which is not announced';
    case 'stepIf':
      return `if: ${formatFalsehood(reason.because)}`;
    case 'emptyList':
      return reason.source === undefined ? 'the list of forEach is empty' : `forEach: ${reason.source} is empty`;
    case 'noneOfList':
      return 'the step was skipped for all elements of forEach';
    case 'emptyParameter':
      return `${reason.parameter} is empty: ${reason.written}`;
    case 'emptySaying':
      return reason.issue;
    case 'tooLate':
      return `too late: the maxAge of the step ended at ${new Date(reason.untilMs).toISOString()}`;
    case 'stopped':
      return `step ${reason.number ?? reason.step} failed on ${reason.account}, and it has onError: stop`;
    case 'lookUpFailed':
      return `the look-up ${reason.step} failed on ${reason.account}, and this step reads its result`;
    case 'widerAudience':
      return `it is made from ${RECORDS[reason.restriction]}, and more people could read it; audience: public sends it anyway`;
    case 'same':
      return 'unchanged';
    case 'partUnsent':
      return 'the previous part of the thread was not sent';
    case 'partUnknown':
      return 'it is unknown whether the previous part of the thread was sent';
    case 'unanswered':
      return 'no one answered';
  }
}

/** The reason of a step with its message. */
export function withStepMessage(reason: StepReason): Explained<StepReason> {
  return { message: formatStepReason(reason), reason };
}
