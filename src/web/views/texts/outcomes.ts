import type { Decision } from '../../client/records.ts';
import type { BadgeTexts } from '../language.ts';

/** The outcomes of decisions. */
export const OUTCOME_TEXTS: BadgeTexts<Decision['outcome']> = {
  en: {
    fired: { word: 'fired', title: 'Fanfare created the deliveries of its steps.' },
    suppressed: { word: 'suppressed', title: 'The rule, a condition or a limit suppressed the announcement.' },
    deferred: { word: 'deferred', title: 'Deferred until the quiet hours, the limit or the pause ends.' },
    waiting: { word: 'waiting', title: 'The change must last longer or repeat first.' },
    closed: { word: 'closed', title: 'The episode has ended.' },
    unchanged: { word: 'unchanged', title: 'Nothing changed.' },
    failed: { word: 'failed', title: 'The poll failed, so the rule decided nothing.' },
  },
  de: {
    fired: { word: 'ausgelöst', title: 'Fanfare hat die Zustellungen der Schritte angelegt.' },
    suppressed: { word: 'unterdrückt', title: 'Die Regel, eine Bedingung oder eine Grenze hat die Meldung unterdrückt.' },
    deferred: { word: 'aufgeschoben', title: 'Aufgeschoben bis zum Ende der Ruhezeit, des Limits oder der Pause.' },
    waiting: { word: 'wartet', title: 'Die Änderung muss erst länger dauern oder sich wiederholen.' },
    closed: { word: 'beendet', title: 'Die Episode ist beendet.' },
    unchanged: { word: 'unverändert', title: 'Nichts hat sich geändert.' },
    failed: { word: 'fehlgeschlagen', title: 'Die Abfrage ist fehlgeschlagen, also hat die Regel nichts entschieden.' },
  },
};
