import type { GateBlock, StoredSuppression, Suppression } from '#src/rules/reasons/reason.ts';
import { formatMinute } from '#src/rules/messages/format.ts';
import { counted, falsehood, span, spanAgo } from './values.ts';

/** The reason of a suppression. */
export function suppressionText(reason: StoredSuppression): string {
  return typeof reason === 'string' ? reason : sentence(reason);
}

const HOUR_MS = 3_600_000;

/** The limit of announcements that a rule exceeded. */
function limit({ limit: most, perMs }: { readonly limit?: number | undefined; readonly perMs?: number | undefined }): string {
  if (most === undefined || perMs === undefined) return 'zu viele Meldungen in kurzer Zeit';
  return `mehr als ${counted(most, 'Meldung', 'Meldungen')} in ${perMs === HOUR_MS ? 'einer Stunde' : spanAgo(perMs)}`;
}

/** As `suppressionText`, after the end of the suppression. */
export function pastSuppressionText(reason: StoredSuppression): string {
  if (typeof reason === 'string') return reason;
  switch (reason.kind) {
    case 'paused':
      return `${reason.by} hatte die Regel angehalten`;
    case 'muted':
      return `${reason.by} hatte den Eintrag stummgeschaltet`;
    case 'fuseBlown':
    case 'fuseLimitReached':
      return `die Regel war automatisch angehalten: ${limit(reason)}`;
    case 'cooldown': {
      const who = reason.per === 'rule' ? 'die Regel hatte' : 'der Eintrag wurde';
      return `Wartezeit: ${who} ${reason.agoMs === 0 ? 'in derselben Abfrage' : `${span(reason.agoMs)} vorher`} gemeldet`;
    }
    case 'quietHours':
      return `Ruhezeit von ${formatMinute(reason.fromMinute)} bis ${formatMinute(reason.toMinute)} (${reason.timezone})`;
    case 'limitReached':
      return `Limit: höchstens ${counted(reason.limit, 'Meldung', 'Meldungen')} in ${spanAgo(reason.perMs)}`;
    default:
      return sentence(reason);
  }
}

/** The text of a gate that blocks an announcement, after its change. */
export function blockedBy({ kind, by }: GateBlock): string {
  return `${kind === 'deferred' ? '; aufgeschoben' : ', nicht gemeldet'}: ${suppressionText(by)}`;
}

function sentence(reason: Suppression): string {
  switch (reason.kind) {
    case 'paused':
      return `${reason.by} hat die Regel vor ${spanAgo(reason.agoMs)} angehalten; sie meldet nichts, bis sie fortgesetzt wird`;
    case 'muted':
      return `${reason.by} hat den Eintrag vor ${spanAgo(reason.agoMs)} bis zu seinem Ende stummgeschaltet`;
    case 'if':
      return `if: ${falsehood(reason.condition)}`;
    case 'keepFailed':
      return `keep: ${reason.name} lässt sich nicht berechnen: ${reason.error}`;
    case 'fuseBlown':
      return `vor ${spanAgo(reason.agoMs)} automatisch angehalten: ${limit(reason)}; setze die Regel fort, damit sie wieder meldet`;
    case 'fuseLimitReached':
      return `automatisch angehalten: ${limit(reason)}; setze die Regel fort, damit sie wieder meldet`;
    case 'cooldown': {
      const who = reason.per === 'rule' ? 'die Regel hat zuletzt' : 'zuletzt';
      const ago = reason.agoMs === 0 ? 'in dieser Abfrage' : `vor ${spanAgo(reason.agoMs)}`;
      return `Wartezeit: ${who} ${ago} gemeldet, noch ${span(reason.leftMs)}`;
    }
    case 'quietHours':
    case 'limitReached':
      return `${pastSuppressionText(reason)}, noch ${span(reason.leftMs)}`;
    case 'modeSingle':
      return 'eine frühere Meldung wird noch zugestellt (mode: single)';
    case 'queueFull':
      return `${counted(reason.waiting, 'Meldung wartet', 'Meldungen warten')} schon, höchstens ${reason.limit} sind erlaubt: Prüfe die Ziele`;
    case 'parallelFull':
      return `${counted(reason.firings, 'Meldung ist', 'Meldungen sind')} unterwegs, höchstens ${reason.limit} sind erlaubt: Prüfe die Ziele`;
    case 'alreadyInList':
      return 'war schon vorher da';
    case 'notInChanges':
      return 'die Regel meldet keine neuen Einträge';
    case 'deferredToQuietSteps':
      return 'nur die Schritte nach der Ruhezeit melden es';
    case 'endedInQuietHours':
      return 'endete in der Ruhezeit';
    case 'deferredToLimitSteps':
      return 'nur die Schritte von limit melden es';
    case 'endedAtLimit':
      return 'endete, bevor limit wieder eine Meldung erlaubte';
    case 'olderThanMaxAge':
      return `schon ${span(reason.ageMs)} alt, mehr als maxAge (${span(reason.maxAgeMs)})`;
    case 'beganDuringGap': {
      const { agoMs, maxAgeMs, gapMs } = reason;
      return `begonnen vor ${spanAgo(agoMs)}, mehr als maxAge (${span(maxAgeMs)}), und seit ${spanAgo(gapMs)} wurde nichts gelesen`;
    }
  }
}
