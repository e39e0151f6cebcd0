import type { DeliveryError } from '#src/outbox/delivery.ts';

const FAULTS: Readonly<Record<DeliveryError['fault'], string>> = {
  unreachable: 'nicht erreichbar',
  unanswered: 'keine Antwort',
  unavailable: 'dort gestört',
  rateLimited: 'zu viele Anfragen',
  quotaExhausted: 'das Kontingent ist aufgebraucht',
  unauthorized: 'die Anmeldung des Kontos gilt nicht mehr',
  forbidden: 'dort nicht erlaubt',
  missing: 'dort nicht zu finden',
  rejected: 'dort nicht angenommen',
  duplicate: 'laut der Plattform schon da',
  malformed: 'unverständliche Antwort',
  unsupported: 'das geht dort nicht',
  invalid: 'so lässt es sich nicht senden',
  expression: 'ein Ausdruck der Regel lässt sich nicht auswerten',
  defect: 'ein Fehler in Fanfare, mehr steht im Protokoll',
};

/** Woran es lag, und was dazu gesagt wurde: das sind Worte anderer und bleiben, wie sie sind. */
export function fault(kind: DeliveryError['fault'], said: string): string {
  const words = said.replaceAll(`${kind}: `, '');
  return kind === 'defect' ? FAULTS[kind] : `${FAULTS[kind]} („${words}“)`;
}
