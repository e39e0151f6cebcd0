import type { CaseMessages } from '#src/engine/testing/format-case.ts';
import type { Texts } from '../texts.ts';
import { reasons } from '#src/admin/language/de/reasons.ts';
import { delivery } from '#src/admin/language/de/reasons/deliveries.ts';
import { numeral, span } from '#src/admin/language/de/reasons/values.ts';

/** The outcomes of decisions. */
export const outcomes: Texts['controls']['outcomes'] = {
  fired: 'gemeldet',
  suppressed: 'nicht gemeldet',
  deferred: 'aufgeschoben',
  waiting: 'wartet noch',
  closed: 'beendet',
  unchanged: 'unverändert',
  failed: 'fehlgeschlagen',
};

/** The report of a test case. */
export const caseReport: CaseMessages = {
  missing: 'fehlt',
  unexpected: 'unerwartet',
  different: 'anders',
  expected: 'erwartet',
  sent: 'gesendet',
  nothing: 'nichts',
  decisions: 'Entscheidungen der Regel:',
  line: (line) => `Zeile ${line}`,
  more: (count) => `und ${numeral(count)} weitere`,
  as: (accounts) => `über ${accounts}`,
  doneAt: (times) => `gesendet bei ${times}`,
  notASlot: (next) =>
    `die Regel läuft zu dieser Zeit nicht: ${next === undefined ? 'es folgt kein Termin' : `ihr nächster Termin ist bei ${next}`}`,
  decided: ({ outcome, message, reason }) => `${outcomes[outcome]}: ${reasons.decided({ message, reason })}`,
  undone: ({ planned: { step, account }, message, reason }) =>
    `${step.do} über ${account} nicht ausgeführt: ${reason ? undone(reason) : `„${message}“`}`,
};

function undone(reason: NonNullable<Parameters<CaseMessages['undone']>[0]['reason']>): string {
  switch (reason.kind) {
    case 'targetRefuses':
      return `das Ziel lehnt ab; nach ${span(reason.againMs)} wird es wieder versucht`;
    case 'targetRefused':
      return 'das Ziel hat bis zuletzt abgelehnt';
    default:
      return delivery(reason);
  }
}
