import type { Unsent } from '#src/engine/delivery/firing-outcome.ts';
import { formatNotice, type ReasonFormatter } from '../reasons.ts';
import { decision, pollFailed } from './reasons/decisions.ts';
import { delivery } from './reasons/deliveries.ts';
import { counted, falsehood, fault, numeral, span } from './reasons/values.ts';

const UNSENT: Readonly<Record<Unsent['state'], (deliveries: string) => string>> = {
  failed: (deliveries) => `${deliveries} fehlgeschlagen`,
  unknown: (deliveries) => `${deliveries} ungeklärt`,
  asked: () => 'wartet auf die Antwort auf eine Frage',
  pending: (deliveries) => `${deliveries} noch nicht gesendet`,
  skipped: () => 'nichts wurde gesendet',
};

/** Reasons in German. Decisions of earlier versions have none, and those of newer ones can have others: they keep their English message. */
export const reasons: ReasonFormatter = {
  decided({ message, reason }) {
    if (reason?.kind === 'notAbove') return `zurzeit hat kein Eintrag ${reason.field} über ${numeral(reason.line)}`;
    if (reason?.kind === 'notBelow') return `zurzeit hat kein Eintrag ${reason.field} unter ${numeral(reason.line)}`;
    return (reason && decision(reason)) ?? message;
  },
  noticed: (noticed) =>
    formatNotice(noticed, {
      after: (delayMs) => `${span(delayMs)} nach dem Ereignis`,
      notified: 'die Plattform hat Fanfare benachrichtigt',
    }),
  unsent: ({ state, count }, why) => `; ${UNSENT[state](counted(count, 'Zustellung', 'Zustellungen'))}${why === '' ? '' : `: ${why}`}`,
  withdrawn: (why) => `; zurückgezogene Nachrichten: ${why}`,
  delivered({ message, reason, error, omitted = [] }) {
    if (error) return fault(error.fault, error.message);
    const missing = omitted
      .map(({ parameter, index, message: cause }) => `ohne ${index === undefined ? parameter : `${parameter} ${index + 1}`}: „${cause}“`)
      .join('; ');
    return (reason && delivery(reason)) ?? message ?? (missing || undefined);
  },
  pollFailed,
  account: ({ problem, fault: kind }) => (kind ? fault(kind, problem) : `„${problem}“`),
  condition: ({ message, reason }) => (reason ? falsehood(reason) : message),
};
