import type { StepReason } from '../../reasons/step-reason.ts';
import { falsehoodText } from './falsehood-text.ts';

/** Why a step is not done, in English. */
export function stepReasonText(reason: StepReason): string {
  switch (reason.kind) {
    case 'replaced':
      return 'mode restart: a newer firing takes its place';
    case 'over':
      return 'it is over';
    case 'newerPoll':
      return 'a newer poll has more to say';
    case 'goesOn':
      return 'it goes on';
    case 'valueRemoved':
      return 'its value of each was taken out of the rule';
    case 'stepIf':
      return `if: ${falsehoodText(reason.because)}`;
    case 'emptyList':
      return reason.source === undefined ? 'its list is empty' : `forEach: ${reason.source} is empty`;
    case 'noneOfList':
      return 'for none of its list there is anything to do';
    case 'emptyParameter':
      return `${reason.parameter} comes out empty: ${reason.written}`;
    case 'emptySaying':
      return reason.issue;
    case 'tooLate':
      return `too late: it was worth saying until ${new Date(reason.untilMs).toISOString()}`;
    case 'stopped':
      return `step ${reason.number ?? reason.step} failed on ${reason.account}, and its onError is stop`;
    case 'lookUpFailed':
      return `the look-up ${reason.step} failed on ${reason.account}, and this step reads its result`;
    case 'same':
      return 'unchanged';
    case 'partUnsent':
      return 'the part of the thread before it was not sent';
    case 'partUnknown':
      return 'nobody knows the record of the part before it';
    case 'unanswered':
      return 'nobody answered';
  }
}
