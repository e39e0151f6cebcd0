import type { ReasonWords } from '../reason-words.ts';
import { decision, unread } from './reasons/decisions.ts';
import { falsehood } from './reasons/falsehoods.ts';
import { fault } from './reasons/faults.ts';
import { numeral } from './reasons/quantities.ts';
import { delivery } from './reasons/steps.ts';

/** Gründe auf Deutsch; was eine frühere Version nur als Satz vermerkt hat, steht da, wie es ist. */
export const reasons: ReasonWords = {
  decided({ reason, why }) {
    if (why?.kind === 'notAbove') return `gerade liegt nirgends ${why.field} über ${numeral(why.line)}`;
    if (why?.kind === 'notBelow') return `gerade liegt nirgends ${why.field} unter ${numeral(why.line)}`;
    return why ? decision(why) : reason;
  },
  delivered({ reason, why, error, omitted = [] }) {
    if (error) return fault(error.fault, error.message);
    const missing = omitted.map(({ parameter, index, reason: cause }) => `ohne ${parameter} ${index + 1}: „${cause}“`).join('; ');
    return why ? delivery(why) : (reason ?? (missing || undefined));
  },
  unread,
  trouble: ({ problem, fault: kind }) => (kind ? fault(kind, problem) : `„${problem}“`),
  unfit: ({ reason, why }) => (why ? falsehood(why) : reason),
};
