import type { Texts } from '../texts.ts';

/** Buttons to other pages. */
export const paging: Texts['paging'] = { first: 'Anfang', back: 'Zurück', next: 'Weiter' };

/** Questions of rules and their answers. */
export const answers: Texts['answers'] = {
  nobodyInTime: 'Niemand hat rechtzeitig geantwortet.',
  freeText: 'In eigenen Worten',
  nothingInIt: 'Die Antwort war leer. Drücke den Knopf noch einmal und schreibe eine Antwort.',
  closed: 'Diese Frage ist geschlossen: Jemand hat sie schon beantwortet, oder niemand tat es rechtzeitig.',
  taken: 'Deine Antwort ist angekommen. Zu sehen ist sie nirgends, weil die Frage inzwischen gelöscht wurde.',
  answered: (choice, person) => `**${choice}**, Antwort von ${person}`,
};

/** Errors of interactions. */
export const errors: Texts['errors'] = {
  restarting: 'Der Bot wird gerade neu gestartet. Frag in einer Minute noch einmal.',
  ours: 'Hier ist etwas schiefgegangen; im Protokoll des Bots steht, was. Versuche es noch einmal oder frag die Person, die ihn betreibt.',
  notAllowed: 'Das darfst du hier nicht. Wer den Bot betreibt, legt fest, wer es darf.',
  gone: 'Dieser Knopf stammt von einer früheren Version des Bots. Gib den Befehl noch einmal ein.',
  assistantFault: (fault, soon) => {
    switch (fault) {
      case 'rateLimited':
        return `Der Assistent bekommt gerade zu viele Fragen. Versuche es ${soon ?? 'in einer Minute'} noch einmal.`;
      case 'quotaExhausted':
        return 'Das Kontingent des Assistenten ist aufgebraucht. Wer den Bot betreibt, muss Tarif und Abrechnung beim Anbieter prüfen.';
      case 'unauthorized':
      case 'forbidden':
        return 'Der Anbieter des Assistenten lehnt den Schlüssel des Bots ab. Wer den Bot betreibt, muss `ASSISTANT_API_KEY` prüfen.';
      case 'missing':
        return 'Der Anbieter des Assistenten kennt das Modell nicht. Wer den Bot betreibt, muss `ASSISTANT_MODEL` auf ein Modell setzen, das es dort gibt.';
      case 'malformed':
        return 'Die Antwort des Assistenten ist nicht lesbar. Wer den Bot betreibt, muss `ASSISTANT_URL` prüfen; der Grund steht im Protokoll.';
      case 'unreachable':
        return 'Der Assistent ist nicht erreichbar. Versuche es in einer Minute noch einmal; hilft das nicht, muss `ASSISTANT_URL` geprüft werden.';
      case 'rejected':
      case 'duplicate':
        return 'Der Anbieter des Assistenten lehnt die Frage ab. Frag mit anderen Worten; der Grund steht im Protokoll des Bots.';
      default:
        return 'Der Assistent antwortet nicht, wie er sollte. Versuche es in einer Minute noch einmal.';
    }
  },
  fault: (platform, fault, soon) => {
    switch (fault) {
      case 'rateLimited':
        return `${platform} wird gerade zu viel gefragt. Versuche es ${soon ?? 'in einer Minute'} noch einmal.`;
      case 'quotaExhausted':
        return `Was der Bot ${platform} fragen darf, ist aufgebraucht. Wer ihn betreibt, kann mehr erlauben.`;
      case 'unauthorized':
      case 'forbidden':
        return `${platform} lässt den Bot nicht hinein. Wer ihn betreibt, muss nach dem Konto dort sehen.`;
      case 'missing':
        return `Das gibt es bei ${platform} nicht. Prüfe die Schreibweise, oder wähle aus der Liste, die beim Tippen erscheint.`;
      case 'rejected':
      case 'duplicate':
        return `${platform} hat das nicht angenommen. Versuche es mit anderen Worten.`;
      default:
        return `${platform} antwortet nicht, wie es sollte. Versuche es in einer Minute noch einmal.`;
    }
  },
};
