import type { DeliveryReason } from '#src/queries/records.ts';
import { falsehood, numeral, span } from './values.ts';

/** The reason of the state of a delivery. */
export function delivery(reason: DeliveryReason): string {
  switch (reason.kind) {
    case 'replaced':
      return 'eine neuere Meldung tritt an ihre Stelle (mode: restart)';
    case 'over':
      return 'es ist vorbei';
    case 'newerPoll':
      return 'inzwischen gibt es Neueres zu sagen';
    case 'keepsRunning':
      return 'es geht doch weiter';
    case 'valueRemoved':
      return 'der Wert von „each“ wurde aus der Regel genommen';
    case 'stepIf':
      return `if: ${falsehood(reason.because)}`;
    case 'emptyList':
      return reason.source === undefined ? 'die Liste des Schritts ist leer' : `die Liste des Schritts ist leer: ${reason.source}`;
    case 'noneOfList':
      return 'für nichts in der Liste des Schritts gibt es etwas zu tun';
    case 'emptyParameter':
      return `${reason.parameter} bleibt leer: ${reason.written}`;
    case 'emptySaying':
      return 'alles, was zu sagen wäre, bleibt leer';
    case 'tooLate':
      return `zu spät: Zu sagen war es bis ${new Date(reason.untilMs).toISOString()}`;
    case 'postponed':
      return 'die Plattform nimmt solche Änderungen nur hin und wieder an; es wird wieder versucht';
    case 'saidSent':
      return 'jemand hat gesagt, dass sie angekommen ist';
    case 'saidAgain':
      return 'jemand hat gesagt, dass sie noch einmal gesendet werden soll';
    case 'cannotTell':
      return `${reason.account} kann nicht sagen, ob es gesendet wurde; sieh dort nach`;
    case 'notFound':
      return `laut ${reason.account} ist es schon da, aber es ist dort nicht zu finden`;
    case 'notAsked':
      return `${reason.account} ließ sich nicht fragen, ob es gesendet wurde („${reason.error}“)`;
    case 'adopted':
      return `${reason.account} hat es schon: Es wurde gesendet, bevor der Stand wiederhergestellt wurde`;
    case 'restored':
      return `es wurde vielleicht über ${reason.account} gesendet, bevor der Stand wiederhergestellt wurde; sieh dort nach`;
    case 'gaveUp':
      return reason.withinMs === undefined
        ? `von ${numeral(reason.attempts ?? 1)} Versuchen hat keiner geklappt`
        : `kein Versuch in ${span(reason.withinMs)} hat geklappt`;
    case 'stopped':
      return `der Schritt ${reason.number ?? reason.step} ist bei ${reason.account} gescheitert, und danach soll nichts mehr kommen (onError: stop)`;
    case 'lookUpFailed':
      return `die Abfrage ${reason.step} ist bei ${reason.account} gescheitert, und dieser Schritt verwendet ihr Ergebnis`;
    case 'gone':
      return 'die Nachricht war schon vorher nicht mehr zu finden';
    case 'same':
      return 'es würde dasselbe noch einmal sagen';
    case 'each':
      return `für jeden von ${numeral(reason.count)} einzeln gesendet`;
    case 'partUnsent':
      return 'der Teil des Threads davor wurde nicht gesendet';
    case 'partUnknown':
      return 'wo der Teil des Threads davor steht, weiß niemand';
    case 'unanswered':
      return 'niemand hat geantwortet';
    case 'retired':
      return 'die Regel wurde gelöscht';
    case 'pausedBy':
      return `${reason.by} hat die Regel angehalten`;
    case 'takenBack':
      return `${reason.by} hat den Post zurückgenommen`;
  }
}
