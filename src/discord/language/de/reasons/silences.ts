import type { KeptSilence } from '#src/rules/reasons/reason.ts';
import type { Hindrance, Silence } from '#src/rules/reasons/refusal.ts';
import { falsehood } from './falsehoods.ts';
import { counted, span, spanAgo } from './quantities.ts';

/** Warum etwas nicht gesagt wird. */
export function silence(reason: KeptSilence): string {
  return typeof reason === 'string' ? reason : sentence(reason);
}

/** Was eine Meldung aufhält, hinter dem, was sie gesagt hätte. */
export function hindered({ kind, by }: Hindrance): string {
  return `${kind === 'held' ? '; zurückgehalten' : ', nicht gemeldet'}: ${silence(by)}`;
}

function sentence(reason: Silence): string {
  switch (reason.kind) {
    case 'paused':
      return `${reason.by} hat die Regel vor ${spanAgo(reason.agoMs)} angehalten; sie sagt nichts, bis sie fortgesetzt wird`;
    case 'if':
      return `if: ${falsehood(reason.because)}`;
    case 'fuseBlown':
      return `die Sicherung hat vor ${spanAgo(reason.agoMs)} ausgelöst; die Regel ist angehalten, bis sie fortgesetzt wird`;
    case 'fuseBlows':
      return `die Sicherung hat ausgelöst: ${counted(reason.firings, 'Meldung', 'Meldungen')} in ${spanAgo(reason.perMs)}, erlaubt sind ${reason.most}; die Regel ist angehalten, bis sie fortgesetzt wird`;
    case 'cooldown': {
      const who = reason.per === 'rule' ? 'die Regel hat zuletzt' : 'zuletzt';
      const ago = reason.agoMs === 0 ? 'bei diesem Nachsehen' : `vor ${spanAgo(reason.agoMs)}`;
      return `Wartezeit: ${who} ${ago} gemeldet, noch ${span(reason.leftMs)}`;
    }
    case 'quietHours':
      return `Ruhezeit von ${clock(reason.fromMinute)} bis ${clock(reason.toMinute)} (${reason.timezone}), noch ${span(reason.leftMs)}`;
    case 'single':
      return 'eine frühere Meldung ist noch unterwegs, und mehr als eine darf es nicht sein';
    case 'queueFull':
      return `${counted(reason.waiting, 'Meldung wartet', 'Meldungen warten')} schon, höchstens ${reason.most} dürfen es: Klemmt es bei einem Ziel?`;
    case 'parallelFull':
      return `${counted(reason.firings, 'Meldung ist', 'Meldungen sind')} unterwegs, höchstens ${reason.most} dürfen es sein: Klemmt es bei einem Ziel?`;
    case 'thereAlready':
      return 'war schon vorher da';
    case 'unasked':
      return 'die Regel spricht nicht davon, wer dazukommt';
    case 'collected':
      return 'davon erzählen die Schritte nach der Ruhezeit';
    case 'endedInQuiet':
      return 'war noch in der Ruhezeit vorbei';
    case 'old':
      return `schon ${span(reason.ageMs)} alt, mehr als maxAge (${span(reason.maxAgeMs)})`;
    case 'begunUnread': {
      const { agoMs, maxAgeMs, unreadMs } = reason;
      return `begonnen vor ${spanAgo(agoMs)}, mehr als maxAge (${span(maxAgeMs)}), und gelesen wurde seit ${spanAgo(unreadMs)} nichts`;
    }
  }
}

function clock(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}
