import type { CaseWords } from '#src/rules/testing/case-words.ts';
import { outcomes } from './outcomes.ts';
import { reasons } from './reasons.ts';
import { numeral, span } from './reasons/quantities.ts';
import { delivery } from './reasons/steps.ts';

/** Wie es einem Testfall erging. */
export const ofCase: CaseWords = {
  missing: 'fehlt',
  unexpected: 'unerwartet',
  different: 'anders',
  expected: 'erwartet',
  sent: 'gesendet',
  nothing: 'nichts',
  says: 'was die Regel dazu sagt:',
  line: (line) => `Zeile ${line}`,
  more: (count) => `und ${numeral(count)} weitere`,
  as: (accounts) => `über ${accounts}`,
  doneAt: (times) => `es geschah bei ${times}`,
  decided: ({ outcome, ...because }) => `${outcomes[outcome]}: ${reasons.decided(because)}`,
  undone: ({ planned: { step, account }, reason, why }) => `${step.do} über ${account} nicht getan: ${why ? undone(why) : `„${reason}“`}`,
};

function undone(why: NonNullable<Parameters<CaseWords['undone']>[0]['why']>): string {
  switch (why.kind) {
    case 'targetRefuses':
      return `das Ziel lehnt ab; nach ${span(why.againMs)} wird es wieder versucht`;
    case 'targetRefused':
      return 'das Ziel hat bis zuletzt abgelehnt';
    default:
      return delivery(why);
  }
}
