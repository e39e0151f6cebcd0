import type { Texts } from '../texts.ts';

/** Buttons to other pages. */
export const paging: Texts['paging'] = { first: 'Anfang', back: 'Zurück', next: 'Weiter' };

/** Questions of rules and their answers. */
export const answers: Texts['answers'] = {
  nobodyInTime: 'Niemand hat rechtzeitig geantwortet.',
  freeText: 'In eigenen Worten',
  nothingInIt: 'Die Antwort war leer. Klicke noch einmal auf den Knopf und gib eine Antwort ein.',
  closed: 'Diese Frage ist geschlossen: Sie wurde beantwortet, oder ihre Zeit ist abgelaufen.',
  needsOperate: 'Diese Frage können nur Mitglieder beantworten, die den Bot bedienen dürfen.',
  needsRole: (roles: string) => `Diese Frage können nur Mitglieder mit einer dieser Rollen beantworten: **${roles}**.`,
  taken: 'Deine Antwort wurde gespeichert. Die Nachricht zeigt sie nicht, weil die Frage gelöscht wurde.',
  answered: (choice, person) => `**${choice}**, Antwort von ${person}`,
};

/** Errors of interactions. */
export const errors: Texts['errors'] = {
  restarting: 'Der Bot wird gerade neu gestartet. Versuche es in einer Minute noch einmal.',
  stateUnreachable: 'Der Bot erreicht seine Datenbank nicht. Versuche es in einer Minute noch einmal.',
  ours: 'Ein Fehler ist aufgetreten. Der Grund steht im Protokoll des Bots. Versuche es noch einmal, oder wende dich an den Betreiber des Bots.',
  notAllowed: 'Du hast hier keine Berechtigung dafür. Der Betreiber des Bots vergibt die Berechtigungen.',
  notYourAnswer: 'Diesen Knopf kann nur benutzen, wer den Befehl ausgeführt hat. Führe den Befehl selbst aus.',
  gone: 'Dieser Knopf stammt von einer früheren Version des Bots. Gib den Befehl noch einmal ein.',
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
