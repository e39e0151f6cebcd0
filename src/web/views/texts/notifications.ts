import type { Texts } from '../language.ts';

/** The texts of the notifications that a platform sends to an account. */
export const NOTIFICATIONS_TEXTS = {
  en: {
    notifications: 'Notifications:',
    states: {
      connected: { word: 'connected', title: 'The platform notifies about changes, so rules poll at once.' },
      connecting: { word: 'connecting', title: 'Fanfare connects, or restores the connection. Until then, rules poll at their slots.' },
      failed: { word: 'failed', title: 'The platform does not notify about changes. Rules poll at their slots.' },
      off: { word: 'off', title: 'Fanfare has no public address, so rules poll at their slots.' },
      stopped: { word: 'not needed', title: 'No rule needs notifications, or Fanfare was stopped.' },
    },
    subscriptions: (count: string, isOne: boolean) => `${count} ${isOne ? 'subscription' : 'subscriptions'}`,
    cost: (cost: string, most: string) => `cost ${cost} of ${most}`,
    onlyPolled: (count: string, isOne: boolean) => `${count} ${isOne ? 'name' : 'names'} only polled`,
    last: 'last notification',
    noneYet: 'no notification yet',
  },
  de: {
    notifications: 'Benachrichtigungen:',
    states: {
      connected: { word: 'verbunden', title: 'Die Plattform meldet Änderungen, also fragen Regeln sofort ab.' },
      connecting: { word: 'verbindet', title: 'Fanfare stellt die Verbindung her. Bis dahin fragen Regeln zu ihren Zeiten ab.' },
      failed: { word: 'fehlgeschlagen', title: 'Die Plattform meldet keine Änderungen. Regeln fragen zu ihren Zeiten ab.' },
      off: { word: 'aus', title: 'Fanfare hat keine öffentliche Adresse, also fragen Regeln zu ihren Zeiten ab.' },
      stopped: { word: 'nicht nötig', title: 'Keine Regel braucht Benachrichtigungen, oder Fanfare wurde beendet.' },
    },
    subscriptions: (count: string, isOne: boolean) => `${count} ${isOne ? 'Abonnement' : 'Abonnements'}`,
    cost: (cost: string, most: string) => `Kosten ${cost} von ${most}`,
    onlyPolled: (count: string, isOne: boolean) => `${count} ${isOne ? 'Name' : 'Namen'} nur abgefragt`,
    last: 'letzte Benachrichtigung',
    noneYet: 'noch keine Benachrichtigung',
  },
} satisfies Texts;
