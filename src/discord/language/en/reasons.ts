import { omissionText } from '#src/operation/part.ts';
import type { ReasonWords } from '../reason-words.ts';

/** The sentences that the rules and the outbox write down are English. */
export const reasons: ReasonWords = {
  decided: ({ reason }) => reason,
  delivered: ({ reason, error, omitted = [] }) => error?.message ?? reason ?? (omitted.map(omissionText).join('; ') || undefined),
  unread: ({ failure = 'there was no answer' }) => failure,
  trouble: ({ problem }) => problem,
  unfit: ({ reason }) => reason,
};
