import type { Explained } from '../reasons/reason.ts';
import type { StepReason } from '../reasons/step-reason.ts';
import { formatFalsehood } from './format-falsehood.ts';

/** The English message of the reason of a step. */
export function formatStepReason(reason: StepReason): string {
  switch (reason.kind) {
    case 'replaced':
      return 'mode restart: a newer firing takes its place';
    case 'over':
      return 'it is over';
    case 'newerPoll':
      return 'a newer poll replaces it';
    case 'keepsRunning':
      return 'it goes on';
    case 'valueRemoved':
      return 'its value was removed from each';
    case 'stepIf':
      return `if: ${formatFalsehood(reason.because)}`;
    case 'emptyList':
      return reason.source === undefined ? 'its list is empty' : `forEach: ${reason.source} is empty`;
    case 'noneOfList':
      return 'all elements of its list were skipped';
    case 'emptyParameter':
      return `${reason.parameter} comes out empty: ${reason.written}`;
    case 'emptySaying':
      return reason.issue;
    case 'tooLate':
      return `too late: its maxAge ended at ${new Date(reason.untilMs).toISOString()}`;
    case 'stopped':
      return `step ${reason.number ?? reason.step} failed on ${reason.account}, and its onError is stop`;
    case 'lookUpFailed':
      return `the look-up ${reason.step} failed on ${reason.account}, and this step reads its result`;
    case 'same':
      return 'unchanged';
    case 'partUnsent':
      return 'the part of the thread before it was not sent';
    case 'partUnknown':
      return 'the record of the part of the thread before it is unknown';
    case 'unanswered':
      return 'no one answered';
  }
}

/** The reason of a step with its message. */
export function withStepMessage(reason: StepReason): Explained<StepReason> {
  return { message: formatStepReason(reason), reason };
}
