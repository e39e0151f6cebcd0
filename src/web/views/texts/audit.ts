import type { Operations } from '../../client/operations.ts';
import type { Action } from '../../client/records.ts';
import type { BadgeTexts, Texts } from '../language.ts';

/** The name of an action in the log. */
export type LoggedAction = NonNullable<Operations['listActions']['input']['action']>;

/** How actions ended. */
export const ACTION_OUTCOME_TEXTS: BadgeTexts<Action['outcome']> = {
  en: {
    done: { word: 'done', title: 'It is done.' },
    unchanged: { word: 'unchanged', title: 'There was nothing to do.' },
    refused: { word: 'refused', title: 'Fanfare refused it.' },
    failed: { word: 'failed', title: 'An error ended it.' },
    started: { word: 'started', title: 'The process or its database ended before the action did.' },
  },
  de: {
    done: { word: 'erledigt', title: 'Es ist geschehen.' },
    unchanged: { word: 'unverändert', title: 'Es gab nichts zu tun.' },
    refused: { word: 'abgelehnt', title: 'Fanfare hat es abgelehnt.' },
    failed: { word: 'fehlgeschlagen', title: 'Ein Fehler hat es beendet.' },
    started: { word: 'begonnen', title: 'Der Prozess oder seine Datenbank endete vor der Aktion.' },
  },
};

/** The texts of the log of actions. */
export const AUDIT_TEXTS = {
  en: {
    title: 'What people did',
    settings: 'Settings',
    about: 'Actions in Discord, on the command line, on the page and over the API. The log goes back two years.',
    none: 'No actions yet.',
    noMatch: 'No action matches these filters.',
    action: 'Action',
    any: 'any',
    target: 'Target',
    targetHint: 'rule, delivery, list, account, person or token',
    filter: 'Filter',
    showAll: 'Show all',
    via: { discord: 'in Discord', cli: 'on the command line', api: 'over the API', page: 'on the page' },
    before: 'before',
    after: 'after',
    pages: 'Pages of actions',
    newest: 'Newest',
    older: 'Older',
  },
  de: {
    title: 'Was Personen taten',
    settings: 'Einstellungen',
    about: 'Aktionen in Discord, auf der Befehlszeile, auf der Seite und über die API. Das Protokoll reicht zwei Jahre zurück.',
    none: 'Noch keine Aktionen.',
    noMatch: 'Keine Aktion passt zu diesen Filtern.',
    action: 'Aktion',
    any: 'alle',
    target: 'Ziel',
    targetHint: 'Regel, Zustellung, Liste, Konto, Person oder Token',
    filter: 'Filtern',
    showAll: 'Alle zeigen',
    via: { discord: 'in Discord', cli: 'auf der Befehlszeile', api: 'über die API', page: 'auf der Seite' },
    before: 'vorher',
    after: 'nachher',
    pages: 'Seiten der Aktionen',
    newest: 'Neueste',
    older: 'Ältere',
  },
} satisfies Texts;
