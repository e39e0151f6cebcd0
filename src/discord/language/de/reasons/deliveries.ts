import type { DeliveryReason } from '#src/queries/records.ts';
import { falsehood, numeral, span } from './values.ts';

const RECORDS = { followers: 'einen Post für Follower', direct: 'einen direkten Post oder eine Direktnachricht' } as const;

/** The reason of the state of a delivery. */
export function delivery(reason: DeliveryReason): string {
  switch (reason.kind) {
    case 'replaced':
      return 'eine neuere Meldung ersetzt sie (mode: restart)';
    case 'over':
      return 'es ist vorbei';
    case 'newerPoll':
      return 'eine neuere Abfrage ersetzt sie';
    case 'keepsRunning':
      return 'die Episode geht weiter';
    case 'valueRemoved':
      return 'der Wert von „each“ wurde aus der Regel genommen';
    case 'endedByEdit':
      return 'die Episode endete durch eine Änderung der Regel; das wird nicht gemeldet';
    case 'stepIf':
      return `if: ${falsehood(reason.because)}`;
    case 'emptyList':
      return reason.source === undefined ? 'die Liste des Schritts ist leer' : `die Liste des Schritts ist leer: ${reason.source}`;
    case 'noneOfList':
      return 'alle Elemente der Liste des Schritts wurden ausgelassen';
    case 'emptyParameter':
      return `${reason.parameter} bleibt leer: ${reason.written}`;
    case 'emptySaying':
      return 'der Inhalt bleibt leer';
    case 'tooLate':
      return `zu spät: maxAge endete ${new Date(reason.untilMs).toISOString()}`;
    case 'postponed':
      return 'die Plattform begrenzt solche Änderungen; Fanfare versucht es weiter';
    case 'saidSent':
      return 'ein Operator hat sie als gesendet markiert';
    case 'saidAgain':
      return 'ein Operator lässt sie noch einmal senden';
    case 'cannotTell':
      return `${reason.account} meldet nicht, ob es gesendet wurde; prüfe es dort`;
    case 'notFound':
      return `laut ${reason.account} ist es schon da, aber es ist dort nicht zu finden`;
    case 'notAsked':
      return `bei ${reason.account} konnte nicht geprüft werden, ob es gesendet wurde („${reason.error}“)`;
    case 'adopted':
      return `${reason.account} hat es schon: Es wurde gesendet, bevor der Stand wiederhergestellt wurde`;
    case 'restored':
      return `es wurde vielleicht über ${reason.account} gesendet, bevor der Stand wiederhergestellt wurde; prüfe es dort`;
    case 'gaveUp':
      return reason.withinMs === undefined
        ? `von ${numeral(reason.attempts ?? 1)} Versuchen war keiner erfolgreich`
        : `kein Versuch in ${span(reason.withinMs)} war erfolgreich`;
    case 'stopped':
      return `der Schritt ${reason.number ?? reason.step} ist bei ${reason.account} fehlgeschlagen (onError: stop)`;
    case 'lookUpFailed':
      return `die Abfrage ${reason.step} ist bei ${reason.account} fehlgeschlagen, und dieser Schritt verwendet ihr Ergebnis`;
    case 'widerAudience':
      return `der Schritt verwendet ${RECORDS[reason.restriction]}, und mehr Menschen könnten ihn lesen; mit „audience: public“ wird er trotzdem gesendet`;
    case 'gone':
      return 'die Nachricht fehlte schon vorher';
    case 'same':
      return 'unverändert';
    case 'each':
      return `für jeden von ${numeral(reason.count)} einzeln gesendet`;
    case 'partUnsent':
      return 'der vorige Teil des Threads wurde nicht gesendet';
    case 'partUnknown':
      return 'die Adresse des vorigen Teils des Threads ist unbekannt';
    case 'unanswered':
      return 'niemand hat geantwortet';
    case 'resent':
      return `${reason.by} hat das erneute Senden angeordnet`;
    case 'disabled':
      return 'die Regel wurde ausgeschaltet';
    case 'retired':
      return 'die Regel wurde gelöscht';
    case 'pausedBy':
      return `${reason.by} hat die Regel angehalten`;
    case 'takenBack':
      return `${reason.by} hat den Post zurückgenommen`;
  }
}
