import { formatRate, PRICE_FORMAT, type PollingTexts } from '../polling.ts';
import { listed, numeral, span } from './reasons/values.ts';

const PRICE = new Intl.NumberFormat('de', PRICE_FORMAT);

/** The sentences about the polls of a rule in German. */
export const POLLING: PollingTexts = {
  notified: {
    all: 'Die Plattform benachrichtigt Fanfare über Änderungen. Sie werden dann sofort abgefragt.',
    none: 'Die Plattform benachrichtigt Fanfare nicht. Änderungen werden durch Abfragen gefunden.',
    hints: 'Discord benachrichtigt Fanfare über Änderungen. Sie werden dann sofort abgefragt.',
    unknown: 'Unter HOST und PORT hat kein laufendes Fanfare ohne Anmeldung geantwortet. Die Benachrichtigungen zeigt die Seite der Regel.',
  },
  someNotified: (account, notified, names) =>
    `Benachrichtigungen über ${account} gibt es für ${numeral(notified)} von ${numeral(names)} Namen. Die anderen werden nur abgefragt.`,
  notNotified: (account) => `Über ${account} kommen keine Benachrichtigungen. Änderungen werden dort durch Abfragen gefunden.`,
  problem: (account, problem) => `${account}: „${problem}“`,
  polls({ everyMs = 0, pollsEveryMs = everyMs, restsEveryMs = 0, why }) {
    const every = span(pollsEveryMs);
    switch (why) {
      case 'calendar':
        return 'Die Regel fragt nur zu den Zeiten ihres Zeitplans ab.';
      case 'rest':
        return `Die Regel fragt alle ${every} statt alle ${span(everyMs)} ab, weil sich ohne Benachrichtigung nichts ändert.`;
      case 'waits':
        return `Die Regel fragt alle ${every} ab, weil sich ihre Liste gerade geändert hat oder etwas wartet. Später fragt sie alle ${span(restsEveryMs)} ab.`;
      case 'fields':
        return `Die Regel fragt alle ${every} ab, weil sie Werte braucht, die keine Benachrichtigung meldet. Solange ihre Liste leer ist, fragt sie alle ${span(restsEveryMs)} ab.`;
      case 'budget':
        return `Die Regel fragt etwa alle ${every} statt alle ${span(everyMs)} ab, weil das Limit ihres Kontos nicht mehr erlaubt.`;
      case 'within':
        return `Die Regel fragt alle ${every} ab, wegen ihres Schlüssels within.`;
      case 'every':
        return `Die Regel fragt alle ${every} ab, wie ihr Schlüssel every sagt.`;
    }
  },
  delay({ longestDelayMs, waitsMs, notifications }) {
    const isNotified = notifications === 'all' || notifications === 'some' || notifications === 'hints';
    const lost = isNotified ? ', selbst wenn Benachrichtigungen verloren gehen' : '';
    const waits = waitsMs === 0 ? '' : ` Davon sind ${span(waitsMs)} die Zeit von settle oder confirm.`;
    return `Eine Änderung wird nach höchstens ${span(longestDelayMs)} angekündigt${lost}.${waits}`;
  },
  cost({ account, unit, requestsPerHour, allPerHour, allowedPerHour, monthUsd }) {
    const taken = perHour(requestsPerHour);
    const share = `Ihre Abfragen brauchen ${taken} ${UNITS[unit][taken === '1' ? 0 : 1]} pro Stunde über ${account}.`;
    const allowed = allowedPerHour === undefined ? '' : ` von ${perHour(allowedPerHour)} für Abfragen`;
    const price = monthUsd === undefined ? '' : ` Sie kosten höchstens ${PRICE.format(monthUsd)} im Monat.`;
    return `${share} Alle Regeln zusammen brauchen bis zu ${formatRate(allPerHour, numeral)}${allowed}.${price}`;
  },
  waiting({ account, waitedMs, moreMs, before, beforeCount }) {
    const more = beforeCount > before.length ? [...before, `${beforeCount - before.length} weitere`] : before;
    const first = beforeCount === 0 ? '' : ` Regeln mit höherer Priorität gehen vor: ${listed(more)}.`;
    return `Ihre Abfrage wartet seit ${span(waitedMs)} auf das Limit von ${account} und wird noch etwa ${span(moreMs)} warten.${first}`;
  },
};

function perHour(value: number): string {
  return formatRate(value, numeral, 'weniger als');
}

const UNITS = { requests: ['Anfrage', 'Anfragen'], points: ['Punkt', 'Punkte'] } as const;
