import { pluralIn } from '#src/admin/language/plural.ts';
import type { Texts } from '../texts.ts';

const plural = pluralIn('de');

/** Messages about problems in the chosen channel in German. */
export const alerts: Texts['alerts'] = {
  undelivered: (count, cause) => `⚠️ **${count} Ankündigungen brauchen dich**\n${cause}`,
  oneUndelivered: (cause) => `⚠️ **Eine Ankündigung braucht dich**\n${cause}`,
  unknown: 'Sieh nach, ob sie gesendet wurde, und nutze dann `/klären`.',
  paused: (rule) => `⏸️ **${rule}** ist angehalten und kündigt nichts an. \`/automation fortsetzen\` setzt sie fort.`,
  account: (account, problem) => `🔴 **${account}**: ${problem}`,
  expiring: (what, when) => `⏳ Eine Frage zu **${what}** endet ${when} ohne Antwort.`,
  changes: (day) => `📝 **Änderungen am ${day}**`,
  change: (time, person, what) => `-# ${time} ${person}: ${what}`,
  settings: {
    language: 'Sprache',
    zone: 'Zeitzone',
    channel: 'Kanal für Ankündigungen',
    ping: 'Rolle, die benachrichtigt wird',
    problemsChannel: 'Kanal für Probleme',
    liveRole: 'Live-Rolle',
    announcements: 'Ankündigungen an oder aus',
    pings: 'Rollen von /benachrichtigungen',
    roles: 'Berechtigungen',
  },
  solved: '✅ Geschlossen: Hier ist nichts mehr zu tun',
  moved: (channel) => `➡️ Weiter in ${channel}`,
  ended: (setup) => `🔕 In diesem Server gibt es keine Meldungen mehr. ${setup} schaltet sie wieder ein.`,
  buttons: { fix: 'So behebst du es', retry: 'Erneut senden' },
  fix: (setup) =>
    `Öffne ${setup}: Dort werden die Kanäle geprüft und fehlende Berechtigungen genannt. Erlaube sie, klicke auf „Erneut prüfen“ und dann unter der Meldung auf „Erneut senden“. \`/zustellungen\` zeigt, was fehlschlug, mit den Gründen.`,
  retried: (count) => plural(count, '1 Ankündigung wird erneut gesendet.', `${count} Ankündigungen werden erneut gesendet.`),
  notRetried: (count) =>
    plural(
      count,
      '1 kann nicht erneut gesendet werden: `/zustellungen` zeigt, warum.',
      `${count} können nicht erneut gesendet werden: \`/zustellungen\` zeigt, warum.`,
    ),
  nothing: 'Es gibt nichts mehr, was erneut gesendet werden kann.',
};
