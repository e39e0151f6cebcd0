import type { Words } from '../words.ts';

/** Was jemand erfährt, bei dem etwas nicht ging. */
export const errors: Words['errors'] = {
  restarting: 'Der Bot wird gerade neu gestartet. Frag in einer Minute noch einmal.',
  ours: 'Hier ist etwas schiefgegangen; im Protokoll des Bots steht, was. Versuche es noch einmal oder frag die Person, die ihn betreibt.',
  notAllowed: 'Das darfst du hier nicht. Wer den Bot betreibt, legt fest, wer es darf.',
  gone: 'Das stammt von einer früheren Version des Bots und führt nirgends mehr hin. Gib den Befehl noch einmal ein.',
  assistant: 'Der Assistent',
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
