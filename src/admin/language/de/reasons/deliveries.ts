import type { DeliveryReason } from '#src/engine/delivery/reason.ts';
import { falsehood, numeral, span } from './values.ts';

const RECORDS = { followers: 'einen Post für Follower', direct: 'einen direkten Post oder eine Direktnachricht' } as const;

/** The reason of the state of a delivery. */
export function delivery(reason: DeliveryReason): string {
  switch (reason.kind) {
    case 'replaced':
      return 'eine neuere Meldung ersetzt sie (mode: restart)';
    case 'episodeEnded':
      return 'es ist vorbei';
    case 'newerPoll':
      return 'eine neuere Abfrage ersetzt sie';
    case 'itemReturned':
      return 'die Episode geht weiter';
    case 'removedFromEach':
      return 'der Wert von „each“ wurde aus der Regel genommen';
    case 'endedByEdit':
      return 'die Episode endete durch eine Änderung der Regel oder der Liste; das wird nicht gemeldet';
    case 'stepIf':
      return `if: ${falsehood(reason.condition)}`;
    case 'emptyList':
      return reason.source === undefined ? 'die Liste des Schritts ist leer' : `die Liste des Schritts ist leer: ${reason.source}`;
    case 'allElementsSkipped':
      return 'alle Elemente der Liste des Schritts wurden ausgelassen';
    case 'emptyParameter':
      return `${reason.parameter} bleibt leer: ${reason.template}`;
    case 'emptyMessage':
      return 'der Inhalt bleibt leer';
    case 'tooLate':
      return `zu spät: maxAge endete ${new Date(reason.untilMs).toISOString()}`;
    case 'postponed':
      return 'die Plattform begrenzt solche Anfragen; Fanfare versucht es weiter';
    case 'resolvedSent':
      return 'ein Operator hat sie als gesendet markiert';
    case 'resolvedAgain':
      return 'ein Operator lässt sie noch einmal senden';
    case 'notSearchable':
      return `${reason.account} meldet nicht, ob es gesendet wurde; prüfe es dort`;
    case 'notFound':
      return `laut ${reason.account} ist es schon da, aber es ist dort nicht zu finden`;
    case 'searchFailed':
      return `bei ${reason.account} konnte nicht geprüft werden, ob es gesendet wurde („${reason.error}“)`;
    case 'sentBeforeRestore':
      return `${reason.account} hat es schon: Es wurde gesendet, bevor der Stand wiederhergestellt wurde`;
    case 'maybeSentBeforeRestore':
      return `es wurde vielleicht über ${reason.account} gesendet, bevor der Stand wiederhergestellt wurde; prüfe es dort`;
    case 'retriesExhausted':
      return reason.withinMs === undefined
        ? `von ${numeral(reason.attempts ?? 1)} Versuchen war keiner erfolgreich`
        : `kein Versuch in ${span(reason.withinMs)} war erfolgreich`;
    case 'earlierStepFailed':
      return `der Schritt ${reason.number ?? reason.step} ist bei ${reason.account} fehlgeschlagen (onError: stop)`;
    case 'lookUpFailed':
      return `die Abfrage ${reason.step} ist bei ${reason.account} fehlgeschlagen, und dieser Schritt verwendet ihr Ergebnis`;
    case 'recordGone':
      return `den Datensatz der Abfrage ${reason.step} gibt es bei ${reason.account} nicht, und dieser Schritt verwendet ihn`;
    case 'unsupported':
      return `${reason.account} unterstützt ${reason.do} nicht; das Ergebnis ist leer`;
    case 'widerAudience':
      return `der Schritt verwendet ${RECORDS[reason.restriction]}, und mehr Menschen könnten ihn lesen; mit „audience: public“ wird er trotzdem gesendet`;
    case 'alreadyDeleted':
      return 'die Nachricht, der Post oder das Event fehlte schon vorher';
    case 'sameText':
      return 'unverändert';
    case 'roleOfOther':
      return 'eine andere laufende Episode hat dem Mitglied dieselbe Rolle gegeben, und ihr Ende nimmt sie';
    case 'forEachDone':
      return `für jeden von ${numeral(reason.count)} einzeln gesendet`;
    case 'previousPartNotSent':
      return 'der vorige Teil des Threads wurde nicht gesendet';
    case 'previousPartUnknown':
      return 'die Adresse des vorigen Teils des Threads ist unbekannt';
    case 'unanswered':
      return 'niemand hat geantwortet';
    case 'resent':
      return `${reason.by} hat das erneute Senden angeordnet`;
    case 'ruleDisabled':
      return 'die Regel wurde ausgeschaltet';
    case 'ruleDeleted':
      return 'die Regel wurde gelöscht';
    case 'rulePaused':
      return `${reason.by} hat die Regel angehalten`;
    case 'itemMuted':
      return `${reason.by} hat den Eintrag bis zu seinem Ende stummgeschaltet`;
    case 'nextStepsWithdrawn': {
      const after = reason.because.kind === 'rulePaused' ? '; sie werden auch nach der Pause nicht gesendet' : '';
      return `${delivery(reason.because)}, und neue Nachrichten nach dieser Frage wurden vor der Antwort zurückgezogen${after}`;
    }
    case 'postWithdrawn':
      return `${reason.by} hat den Post zurückgenommen`;
  }
}
