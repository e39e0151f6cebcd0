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
  webhook: (name, since) =>
    `🔴 Der Empfänger des Webhooks **${name}** hat ein Ereignis nicht angenommen (${since}). Prüfe ihn; Fanfare versucht es bei jedem Ereignis 23 Stunden lang.`,
  webhookGone: (name) =>
    `🔴 Der Empfänger hat den Webhook **${name}** gelöscht (HTTP 410), deshalb sendet Fanfare ihm keine Ereignisse. Berichtige oder entferne ihn in \`fanfare.yaml\`, und starte Fanfare dann neu.`,
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
  fix: {
    channel: (setup) =>
      `Öffne ${setup}: Dort werden die Kanäle geprüft und fehlende Berechtigungen genannt. Erlaube sie, klicke auf „Erneut prüfen“ und dann unter der Meldung auf „Erneut senden“. \`/zustellungen\` zeigt, was fehlschlug, mit den Gründen.`,
    gone: (setup) =>
      `Der Kanal wurde gelöscht. Wähle mit ${setup} einen anderen, oder mit \`/folgen ändern\`, wenn der Streamer einen anderen Kanal hat als der Server. Die nächste Ankündigung verwendet ihn. \`/zustellungen\` zeigt, was fehlschlug, mit den Gründen.`,
    streamer: () =>
      'Die Einstellungen des Streamers passen nicht. Rufe `/folgen ändern` für den Streamer auf und korrigiere Nachricht, Farbe, Kanal und Rolle. Die nächste Ankündigung verwendet sie. `/zustellungen` zeigt, was fehlschlug, mit den Gründen.',
    content: () =>
      'Die Nachricht lässt sich so nicht senden: Die Meldung nennt den Grund. Schreibe einen Post aus `/post` neu. Stammt die Nachricht von einer Regel, korrigiert der Betreiber des Bots die Regel; klicke danach unter der Meldung auf „Erneut senden“.',
    account: () =>
      'Das Konto darf das nicht senden, oder seine Plattform findet nicht, worauf sich die Nachricht bezieht. Der Betreiber des Bots prüft das Konto: `/status` zeigt seinen Zustand. Klicke danach unter der Meldung auf „Erneut senden“.',
    wait: () =>
      'Die Plattform hat nicht geantwortet oder hatte zu viele Anfragen. Warte einige Minuten und klicke dann unter der Meldung auf „Erneut senden“.',
  },
  retried: (count) => plural(count, '1 Ankündigung wird erneut gesendet.', `${count} Ankündigungen werden erneut gesendet.`),
  notRetried: (count) =>
    plural(
      count,
      '1 kann nicht erneut gesendet werden: `/zustellungen` zeigt, warum.',
      `${count} können nicht erneut gesendet werden: \`/zustellungen\` zeigt, warum.`,
    ),
  streamsOver: (count) =>
    plural(
      count,
      '1 wird nicht erneut gesendet, weil der Stream vorbei ist. Wenn du sie noch brauchst, sende sie mit `/zustellungen`.',
      `${count} werden nicht erneut gesendet, weil die Streams vorbei sind. Wenn du sie noch brauchst, sende sie mit \`/zustellungen\`.`,
    ),
  nothing: 'Es gibt nichts mehr, was erneut gesendet werden kann.',
};
