import type { Problem } from '../../client/records.ts';
import type { Language, Texts } from '../language.ts';
import type { Message } from '../reasons.ts';
import { STATE_TEXTS } from './states.ts';

type Shown = Pick<Problem, 'code' | 'detail' | 'errors' | 'state' | 'by' | 'parameter'>;
type Text = string | ((problem: Shown) => string);

/** The texts of refused and failed actions, by the code of the problem. The English ones replace details for programs; other details are shown. */
export const PROBLEM_TEXTS: Texts<Readonly<Record<string, Text>>> = {
  en: {
    invalidParameter: ({ detail, parameter }) => (parameter === 'cursor' ? 'This page of the list no longer exists.' : detail),
    unauthenticated: 'Your session has ended. Sign in again in another tab, then repeat it here.',
    invalidBody: ({ detail, errors = [] }) =>
      errors.length === 0 ? detail : `It has errors: ${errors.map((one) => `${one.pointer}: ${one.detail}`).join(', ')}.`,
  },
  de: {
    // What an action concerns
    ruleNotFound: 'Diese Regel gibt es nicht.',
    ruleFileHasErrors: 'Die Datei dieser Regel hat Fehler, deshalb läuft die Regel nicht.',
    ruleOff: 'Die Regel ist aus. Zuerst „enabled: true“ in ihre Datei schreiben.',
    ruleNotRun: 'Die Regel konnte nicht ausgeführt werden. Der Grund steht im Protokoll von Fanfare.',
    ruleNotRunning: 'Die Regel ist angehalten oder gelöscht, oder das Element ist stummgeschaltet.',
    ruleGone: 'Die Regel dieser Zustellung wurde gelöscht.',
    paused: ({ by = 'Jemand' }) => `${by} hat die Regel dieser Zustellung angehalten. Sie zuerst fortsetzen.`,
    muted: ({ by = 'Jemand' }) => `${by} hat das Element dieser Zustellung bis zum Ende stummgeschaltet.`,
    stepGone: 'Die Regel hat diesen Schritt über dieses Konto nicht mehr.',
    superseded: 'Das ist eine Änderung einer offenen Karte: Die nächste Abfrage ändert die Karte.',
    tooOld: 'Diese Zustellung ist vor mehr als 7 Tagen fehlgeschlagen. Die Werte ihrer Texte sind nicht mehr gespeichert.',
    otherRecord: 'Die Plattform hat etwas anderes als verlangt erstellt.',
    state: ({ state }) =>
      state ? `Das geht nicht: Der Zustand ist „${STATE_TEXTS.de[state].word}“.` : 'Das geht in diesem Zustand nicht.',
    deliveryNotFound: 'Diese Zustellung gibt es nicht.',
    questionNotFound: 'Diese Frage gibt es nicht.',
    closed: 'Zu spät: Die Frage ist beantwortet, ihre Zeit ist abgelaufen, oder die Episode ist zu Ende.',
    unknownChoice: 'Diese Antwort gehört nicht zu der Frage.',
    changed: 'Jemand anderes hat es inzwischen geändert. Die Seite neu laden.',
    overtaken: 'Inzwischen wurde eine andere Version veröffentlicht. Die Seite neu laden.',
    tooManyPauses: 'Die Regel hätte zu viele geplante Pausen. Zuerst die geplanten absagen.',
    pauseOver: 'Das Ende einer Pause muss in der Zukunft liegen.',
    pauseEndsFirst: 'Das Ende einer Pause muss nach ihrem Anfang liegen.',
    runsByCommand: 'Diese Regel läuft, wenn ein Mitglied ihren Befehl in Discord benutzt.',
    runsByWebhook: 'Diese Regel läuft, wenn eine Anfrage bei ihrem Webhook ankommt.',
    manyInstances: 'Die Regel hat mehrere Instanzen. Eine davon wählen.',
    unknownValue: 'Diesen Wert speichert die Regel nicht.',
    wrongValue: ({ detail }) => `Der Wert hat nicht den Typ, den die Regel verlangt („${detail}“).`,
    otherRuleId: 'Im Text fehlt die Regel mit dieser Id. Die Id der Regel nicht ändern.',
    notReplayable: ({ detail }) => `Die Regel lässt sich nicht nachspielen („${detail}“).`,
    busy: 'Die Regel löst zu oft aus. Sie anhalten und den Wert noch einmal setzen.',
    noVersions: 'Die Regeln sind Dateien auf diesem Rechner. Versionen gibt es nur mit DATABASE_URL.',
    versionNotFound: 'Diese Version gibt es nicht.',
    notApproved: 'Diese Regel wurde nicht in Discord freigegeben.',
    rulesHaveErrors: ({ errors = [] }) => `Die Regeln haben Fehler. Nichts ist veröffentlicht. ${quoted(errors)}`,

    // Lists
    fileList: 'Diese Liste steht in einer Datei. Die Datei ändern.',
    listNotFound: 'Diese Liste gibt es nicht.',
    listInUse: ({ detail }) => `Regeln lesen diese Liste. Zuerst diese Regeln ändern oder löschen („${detail}“).`,
    signInNotFound: 'Auf der Seite hat niemand begonnen, den Kanal dieses Kontos anzumelden.',
    entryExists: 'Die Liste hat diesen Eintrag schon.',
    entryNotFound: 'Die Liste hat diesen Eintrag nicht.',
    entryChanged: 'Der Eintrag wurde seitdem geändert. Zuerst die spätere Änderung rückgängig machen.',
    changeNotFound: 'Diese Änderung gibt es nicht, oder sie ist älter als zwei Jahre.',
    tooManyFields: 'Der Eintrag hätte zu viele Felder.',
    unusableField: ({ detail }) => `Fanfare kann einen Wert des Eintrags nicht verwenden („${detail}“).`,
    tooManyNames: 'Zu viele Namen auf einmal.',
    listFull: 'Die Liste hätte zu viele Einträge.',
    listHasErrors: ({ detail }) => `Die Liste hat Fehler. Nichts ist importiert („${detail}“).`,
    otherServer: 'Das gehört einem anderen Discord-Server.',
    serverNotFound: 'Der Bot war nie in diesem Server.',
    settingsChanged: 'Jemand hat diese Einstellungen seitdem geändert. Die Seite neu laden.',
    postNotFound: 'Diesen Beitrag gibt es nicht.',
    postBegun: 'Zu spät: Der Beitrag wird gesendet oder wurde gesendet.',
    postNotSent: 'Zu spät: Der Beitrag wurde nicht gesendet. Einen neuen schreiben.',
    postCancelled: 'Der Beitrag ist schon zurückgenommen.',
    postTimeTooFar: 'Möglich ist höchstens ein Jahr im Voraus.',
    postEdited: 'Jemand anderes hat den Beitrag inzwischen bearbeitet. Ihn neu lesen.',
    postNotSendable: ({ detail }) => `So kann der Beitrag nicht gesendet werden („${detail}“).`,

    // Accounts and access
    accountNotFound: 'Dieses Konto gibt es nicht. Seine Variablen setzen, oder es in fanfare.yaml schreiben.',
    noSignIn: 'Für dieses Konto läuft keine Anmeldung im Browser. Sie noch einmal beginnen.',
    hasCredentials: 'Das Konto meldet sich mit Zugangsdaten der Konfiguration an. Sie dort entfernen.',
    tokenNotFound: 'Es gibt keinen aktiven Token mit dieser Id.',
    nameTaken: 'Es gibt schon eine Person mit diesem Namen.',
    personNotFound: 'Diese Person gibt es nicht.',
    roleOfDiscord: 'Die Rolle dieser Person kommt aus Discord. „signIn.discord“ in fanfare.yaml ändern.',
    unusableName: 'Den Namen nimmt Fanfare nicht: höchstens 64 Buchstaben, Ziffern, Leerzeichen und die Zeichen . _ @ -',
    passwordRepeats: 'Das Passwort wiederholt ein einziges Zeichen. Mehrere Wörter verwenden.',
    passwordTooShort: 'Das Passwort ist zu kurz: mindestens 12 Zeichen.',
    passwordTooLong: 'Das Passwort ist zu lang: höchstens 1000 Zeichen.',
    tokenExpired: 'Der Token wäre schon abgelaufen. Eine spätere Zeit wählen.',
    noAddress: 'Das ist keine Adresse. Die ganze Adresse aus dem Browser kopieren.',
    otherSignIn: 'Diese Adresse gehört nicht zu dieser Anmeldung. Die Adresse oben öffnen, und die der letzten Seite kopieren.',
    accessDenied: 'Der Zugriff wurde im Browser abgelehnt. Das Konto ist nicht angemeldet.',
    signInRefused: ({ detail }) => `Die Plattform hat die Anmeldung abgelehnt („${detail}“).`,
    noSignInCode: 'In dieser Adresse steht kein Code. Die Adresse kopieren, zu der die Plattform weitergeleitet hat.',
    lastAdmin:
      'Das ist der letzte Administrator, oder der letzte mit Passwort. Zuerst eine andere Person mit Passwort zum Administrator machen.',
    roleMissing: 'Für diese Aktion fehlt die Rolle.',
    unauthenticated: 'Die Anmeldung ist abgelaufen. In einem anderen Tab noch einmal anmelden, und es dann hier wiederholen.',
    forbidden: 'Das ist nicht erlaubt. Die Seite neu laden und noch einmal versuchen.',
    crossSite: 'Die Anfrage kommt von einer anderen Website.',
    hostChanged: 'Ein Proxy hat den Host der Anfrage geändert. Er muss die Kopfzeile Host unverändert weitergeben, mit dem Port.',

    // Requests
    invalidBody: ({ errors = [] }) => `Die Angaben sind ungültig. ${quoted(errors)}`,
    invalidParameter: ({ detail, parameter }) =>
      parameter === 'cursor' ? 'Diese Seite der Liste gibt es nicht mehr.' : `Die Angaben sind ungültig („${detail}“).`,
    tooLarge: 'Die Angaben sind zu lang.',
    stillRunning: 'Diese Aktion läuft noch. Später noch einmal versuchen.',
    timeout: 'Die Anfrage endete zu früh oder dauerte zu lange.',
    shuttingDown: 'Fanfare wird gerade beendet.',
    databaseUnavailable: 'Die Datenbank antwortet nicht.',
    failed: 'Die Aktion ist fehlgeschlagen. Der Grund steht im Protokoll von Fanfare.',
    refused: ({ detail }) => `Abgelehnt („${detail}“).`,
    platformRefused: ({ detail }) => `Die Plattform hat es abgelehnt („${detail}“).`,
    platformUnavailable: ({ detail }) => `Die Plattform ist nicht verfügbar („${detail}“).`,
    sandboxRefused: ({ detail }) => `Die Sandbox hat es abgelehnt („${detail}“).`,
    sandboxUnavailable: 'Die Sandbox antwortet nicht.',
  },
};

/** Errors with their fields or their positions in files, in English. */
function quoted(errors: NonNullable<Problem['errors']>): string {
  return errors.map(({ pointer, detail }) => `„${pointer}: ${detail}“`).join(', ');
}

/** Why an action was refused or failed. A problem without a text is in English. */
export function problemText(problem: Shown, language: Language): Message {
  const text = PROBLEM_TEXTS[language][problem.code];
  if (text === undefined) return language === 'en' ? { text: problem.detail } : { text: problem.detail, lang: 'en' };
  return { text: (typeof text === 'string' ? text : text(problem)).trim() };
}
