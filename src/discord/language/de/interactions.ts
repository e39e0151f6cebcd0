import type { Texts } from '../texts.ts';

/** Buttons to other pages. */
export const paging: Texts['paging'] = { first: 'Anfang', back: 'Zurück', next: 'Weiter' };

/** The button that shows a private answer to everyone in the channel. */
export const share: Texts['share'] = 'Allen zeigen';

/** Questions of rules and their answers. */
export const answers: Texts['answers'] = {
  nobodyInTime: 'Niemand hat rechtzeitig geantwortet.',
  tooFewInTime: (answers) => `Zu wenige Mitglieder haben rechtzeitig geantwortet: ${answers}.`,
  ruleDeleted: 'Die Regel wurde gelöscht, deshalb ist diese Frage geschlossen.',
  freeText: 'In eigenen Worten',
  nothingInIt: 'Die Antwort war leer. Klicke noch einmal auf den Knopf und gib eine Antwort ein.',
  waits: (given, needed) =>
    `Deine Antwort ist gespeichert: ${given} von ${needed}. Du kannst sie ändern, bis die anderen geantwortet haben.`,
  closed: 'Diese Frage ist geschlossen: Sie wurde beantwortet, oder ihre Zeit ist abgelaufen.',
  needsOperate: 'Diese Frage können nur Mitglieder beantworten, die den Bot bedienen dürfen.',
  needsRole: (roles: string) => `Diese Frage können nur Mitglieder mit einer dieser Rollen beantworten: **${roles}**.`,
  taken: 'Deine Antwort wurde gespeichert. Die Nachricht zeigt sie nicht, weil die Frage gelöscht wurde.',
  stored: 'Deine Antwort wurde gespeichert.',
  note: (why) => `Hinweis: ${why}.`,
  withdrawn: 'Neue Nachrichten nach dieser Frage wurden vor der Antwort zurückgezogen.',
  counted: (choice, count) => `**${choice}** × ${count}`,
  answered: (choice, person) => `**${choice}**, Antwort von ${person}`,
};

/** The buttons of rules. */
export const ruleButtons: Texts['ruleButtons'] = {
  gone: 'Dieser Knopf funktioniert nicht mehr: Fanfare speichert seine Nachricht nicht mehr, oder seine Regel wurde entfernt.',
  noRole: (role) => `Die Rolle **${role}** gibt es auf diesem Server nicht mehr. Wende dich an einen Administrator.`,
  cannotGive: (role) =>
    `Ich kann die Rolle **${role}** nicht vergeben: Sie steht über meiner Rolle, oder ich darf keine Rollen verwalten. Wende dich an einen Administrator.`,
  moderatorRole: (role) =>
    `Die Rolle **${role}** hat Berechtigungen von Moderatoren, deshalb vergibt sie keine Schaltfläche. Wende dich an einen Administrator.`,
  given: (role) => `Du hast jetzt die Rolle **${role}**. Klicke noch einmal, um sie abzugeben.`,
  taken: (role) => `Du hast die Rolle **${role}** nicht mehr. Klicke noch einmal, um sie zurückzubekommen.`,
  needsRole: (roles) => `Diesen Knopf können nur Mitglieder mit einer dieser Rollen benutzen: **${roles}**.`,
  muted: (item) =>
    `**${item}** ist bis zum Ende stummgeschaltet: Es kommen keine weiteren Meldungen. Die Nachricht wird weiter aktualisiert.`,
  alreadyMuted: (item) => `**${item}** ist bereits bis zum Ende stummgeschaltet.`,
  over: (item) => `**${item}** ist schon zu Ende, es gibt nichts stummzuschalten.`,
};

/** The commands of rules. */
export const ruleCommands: Texts['ruleCommands'] = {
  needsRole: (roles) => `Diesen Befehl können nur Mitglieder mit einer dieser Rollen benutzen: **${roles}**.`,
  tooMany: (retryAt) => `Du hast in der letzten Minute viele Befehle benutzt. Versuche es ${retryAt} noch einmal.`,
  tooOften: (retryAt) => `Du hast diesen Befehl zu oft benutzt. Versuche es ${retryAt} noch einmal.`,
  suppressed: (reason) => `Es gibt gerade keine Antwort: ${reason}.`,
  hiddenChannel: 'Du kannst diesen Kanal oder seine früheren Nachrichten nicht sehen. Wähle einen anderen.',
  nothing: 'Es gibt nichts zu zeigen.',
  failed: 'Der Befehl konnte nicht beantwortet werden. Prüfe deine Eingabe, oder versuche es später noch einmal.',
};

/** Errors of interactions. */
export const errors: Texts['errors'] = {
  restarting: 'Der Bot wird gerade neu gestartet. Versuche es in einer Minute noch einmal.',
  yourText: 'Den Text kannst du von hier kopieren:',
  stateUnreachable: 'Der Bot erreicht seine Datenbank nicht. Versuche es in einer Minute noch einmal.',
  ours: 'Ein Fehler ist aufgetreten. Der Grund steht im Protokoll des Bots. Versuche es noch einmal, oder wende dich an den Betreiber des Bots.',
  notAllowed:
    'Du hast hier keine Berechtigung dafür. Ein Administrator kann die meisten Berechtigungen in `/einrichten` ändern, der Betreiber des Bots alle.',
  cannotSendHere: 'Du kannst in diesem Kanal keine Nachrichten senden, also poste ich hier nichts für dich.',
  lacksPermission:
    'Mir fehlt dafür eine Berechtigung in Discord. Erlaube Fanfare, den Kanal zu sehen, dort Nachrichten und eingebettete Links zu senden und Rollen unter der eigenen zu verwalten. `/einrichten` zeigt, was fehlt.',
  messageGone: 'Die Nachricht wurde gelöscht. Rufe den Befehl noch einmal auf.',
  homeOnly:
    'Das betrifft die ganze Installation. Nur Mitglieder des Heimatservers des Bots dürfen das. `/hilfe` zeigt die Befehle für diesen Server.',
  notYourAnswer: 'Diesen Knopf kann nur benutzen, wer den Befehl ausgeführt hat. Führe den Befehl selbst aus.',
  gone: 'Dieser Knopf stammt von einer früheren Version des Bots. Gib den Befehl noch einmal ein.',
  commandGone: 'Diesen Befehl gibt es nicht mehr. Lade Discord neu, dann siehst du die aktuellen Befehle.',
  refused: {
    fileList: () => 'Diese Liste ist eine Datei der Installation. Der Betreiber des Bots kann die Datei bearbeiten.',
    entryExists: () => 'Jemand anderes hat einen davon gerade hinzugefügt. Sieh dir die Liste an und versuche es noch einmal.',
    entryNotFound: () => 'Dieser Eintrag ist nicht mehr in der Liste. Rufe den Befehl noch einmal auf.',
    entryChanged: () =>
      'Jemand hat das seitdem geändert, also wurde nichts gespeichert. Führe den Befehl noch einmal aus, oder mache zuerst die spätere Änderung rückgängig.',
    changeNotFound: () =>
      'Diese Änderung lässt sich nicht rückgängig machen: Sie ist älter als zwei Jahre oder gehört zu einem anderen Server.',
    unusableField: () =>
      'Ein Eintrag der Liste hat einen Wert, den Fanfare nicht verwenden kann, zum Beispiel eine Farbe, die es nicht gibt.',
    tooManyFields: () => 'Ein Eintrag der Liste hätte zu viele Felder.',
    listHasErrors: (lines: string) => `Die Liste enthält Fehler, deshalb wird nichts importiert. Korrigiere diese Zeilen:\n${lines}`,
    listFull: () => 'Die Liste ist voll. Entferne zuerst einige Einträge.',
    tooManyPauses: () =>
      'Eine Regel kann nicht mehr geplante Pausen haben. Streiche sie zuerst: `/automation fortsetzen` mit `geplante: True`.',
    pauseOver: () => 'Diese Pause wäre schon vorbei. Gib ein späteres Ende an.',
    runsByCommand: () => 'Diese Regel läuft, wenn ein Mitglied ihren Befehl benutzt.',
    runsByWebhook: () => 'Diese Regel läuft, wenn ein anderer Dienst ihr eine Anfrage sendet.',
    listNotFound: () => 'Diese Liste gibt es nicht mehr. Rufe den Befehl noch einmal auf.',
    otherServer: () => 'Du kannst nur ändern, was zu deinem Server gehört.',
    serverNotFound: () => 'Der Bot kennt diesen Server noch nicht. Rufe `/einrichten` auf.',
    settingsChanged: () => 'Andere ändern diese Einstellungen gleichzeitig, also wurde nichts gespeichert. Versuche es noch einmal.',
  },
  assistantFault: (fault, soon) => {
    switch (fault) {
      case 'tooLong':
        return 'Die Unterhaltung ist zu lang für das Modell. Beginne eine neue Unterhaltung.';
      case 'rateLimited':
        return `Der Assistent bekommt gerade zu viele Fragen. Versuche es ${soon ?? 'in einer Minute'} noch einmal.`;
      case 'quotaExhausted':
        return 'Das Kontingent des Assistenten ist aufgebraucht. Der Betreiber des Bots muss Tarif und Abrechnung beim Anbieter prüfen.';
      case 'unauthorized':
      case 'forbidden':
        return 'Der Anbieter des Assistenten lehnt den Schlüssel des Bots ab. Der Betreiber des Bots muss `ASSISTANT_API_KEY` prüfen.';
      case 'missing':
        return 'Der Anbieter des Assistenten kennt das Modell nicht. Der Betreiber des Bots muss `ASSISTANT_MODEL` auf ein Modell setzen, das es dort gibt.';
      case 'malformed':
        return 'Die Antwort des Anbieters ist nicht lesbar. Der Betreiber des Bots muss `ASSISTANT_URL` prüfen; der Grund steht im Protokoll.';
      case 'unreachable':
        return 'Der Assistent ist nicht erreichbar. Versuche es in einer Minute noch einmal; hilft das nicht, muss der Betreiber des Bots `ASSISTANT_URL` prüfen.';
      case 'rejected':
      case 'duplicate':
        return 'Der Anbieter des Assistenten lehnt die Frage ab. Formuliere sie anders. Der Grund steht im Protokoll des Bots.';
      case 'unavailable':
        return 'Der Anbieter des Assistenten meldet einen Fehler. Versuche es in einer Minute noch einmal. Der Grund steht im Protokoll des Bots.';
      case 'unanswered':
        return 'Der Anbieter des Assistenten hat die Antwort nicht beendet. Versuche es in einer Minute noch einmal.';
    }
  },
  fault: (platform, fault, soon) => {
    switch (fault) {
      case 'rateLimited':
        return `${platform} begrenzt die Anfragen des Bots. Versuche es ${soon ?? 'in einer Minute'} noch einmal.`;
      case 'quotaExhausted':
        return `Das Kontingent des Bots bei ${platform} ist aufgebraucht. Der Betreiber des Bots kann es erhöhen.`;
      case 'forbidden':
        return `${platform} erlaubt das dem Konto des Bots nicht. Der Grund steht im Protokoll des Bots.`;
      case 'unauthorized':
        return `${platform} lehnt die Anmeldung des Bots ab. Der Betreiber des Bots muss das Konto dort prüfen.`;
      case 'missing':
        return `${platform} hat keinen solchen Eintrag. Prüfe die Schreibweise, oder wähle aus der Liste, die beim Tippen erscheint.`;
      case 'rejected':
      case 'duplicate':
        return `${platform} hat die Anfrage abgelehnt. Ändere sie und versuche es noch einmal.`;
      case 'unavailable':
        return `${platform} ist gestört. Versuche es ${soon ?? 'in einer Minute'} noch einmal.`;
      case 'unreachable':
      case 'unanswered':
        return `${platform} hat nicht geantwortet. Versuche es in einer Minute noch einmal.`;
      case 'malformed':
        return `${platform} hat unerwartet geantwortet. Versuche es in einer Minute noch einmal.`;
    }
  },
};
