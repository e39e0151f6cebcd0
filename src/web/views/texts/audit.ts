import type { Operations } from '../../client/operations.ts';
import type { Action } from '../../client/records.ts';
import type { Texts } from '../language.ts';

/** The name of an action in the log. */
export type LoggedAction = NonNullable<Operations['listActions']['input']['action']>;

type ActionTexts = Readonly<Partial<Record<LoggedAction, string>>>;

/** The actions of people. An action without a text is shown by its name. */
export const ACTION_TEXTS = {
  en: {
    pauseRule: 'pause a rule',
    resumeRule: 'resume a rule',
    runRule: 'run a rule',
    announceItem: 'announce an item',
    setValue: 'set a stored value',
    resendDelivery: 'send again',
    resolveDelivery: 'resolve a delivery',
    answerDelivery: 'answer a question',
    muteItem: 'mute an item',
    publishVersion: 'publish rules',
    rollBackVersion: 'roll rules back',
    deleteRule: 'delete a rule',
    addListEntries: 'add to a list',
    changeListEntry: 'change an entry of a list',
    removeListEntries: 'remove from a list',
    importList: 'import a list',
    undoListChange: 'take back a change of a list',
    configureServer: 'change a Discord server',
    signInAccount: 'sign in an account',
    confirmAccount: 'finish a sign-in of an account',
    signOutAccount: 'sign out an account',
    createToken: 'create a token',
    revokeToken: 'revoke a token',
    addPerson: 'add a person',
    changeRole: 'change a role',
    changePassword: 'change a password',
    removePerson: 'remove a person',
    signOutPerson: 'end the sessions of a person',
    signIn: 'sign in',
    signOutEverywhere: 'sign out everywhere',
    createFirstAdmin: 'create the first admin',
  },
  de: {
    pauseRule: 'Regel anhalten',
    resumeRule: 'Regel fortsetzen',
    runRule: 'Regel ausführen',
    announceItem: 'Eintrag melden',
    setValue: 'gespeicherten Wert setzen',
    resendDelivery: 'noch einmal senden',
    resolveDelivery: 'Zustellung klären',
    answerDelivery: 'Frage beantworten',
    muteItem: 'Eintrag stummschalten',
    publishVersion: 'Regeln veröffentlichen',
    rollBackVersion: 'frühere Regeln veröffentlichen',
    deleteRule: 'Regel löschen',
    addListEntries: 'in Liste aufnehmen',
    changeListEntry: 'Listeneintrag ändern',
    removeListEntries: 'aus Liste entfernen',
    importList: 'Liste importieren',
    undoListChange: 'Listenänderung rückgängig machen',
    configureServer: 'Discord-Server ändern',
    signInAccount: 'Konto anmelden',
    confirmAccount: 'Anmeldung eines Kontos abschließen',
    signOutAccount: 'Konto abmelden',
    createToken: 'Token erstellen',
    revokeToken: 'Token widerrufen',
    addPerson: 'Person hinzufügen',
    changeRole: 'Rolle ändern',
    changePassword: 'Passwort ändern',
    removePerson: 'Person entfernen',
    signOutPerson: 'Sitzungen einer Person beenden',
    signIn: 'anmelden',
    signOutEverywhere: 'überall abmelden',
    createFirstAdmin: 'ersten Administrator anlegen',
  },
} satisfies Texts<ActionTexts>;

type OutcomeTexts = Readonly<Record<Action['outcome'], { readonly word: string; readonly title: string }>>;

/** How actions ended. */
export const ACTION_OUTCOME_TEXTS: Texts<OutcomeTexts> = {
  en: {
    done: { word: 'done', title: 'It is done.' },
    unchanged: { word: 'unchanged', title: 'There was nothing to do.' },
    refused: { word: 'refused', title: 'Fanfare refused it.' },
    failed: { word: 'failed', title: 'An error ended it.' },
    started: { word: 'started', title: 'The process ended before the action did.' },
  },
  de: {
    done: { word: 'erledigt', title: 'Es ist geschehen.' },
    unchanged: { word: 'unverändert', title: 'Es gab nichts zu tun.' },
    refused: { word: 'abgelehnt', title: 'Fanfare hat es abgelehnt.' },
    failed: { word: 'fehlgeschlagen', title: 'Ein Fehler hat es beendet.' },
    started: { word: 'begonnen', title: 'Der Prozess endete vor der Aktion.' },
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
