import { pluralIn } from '#src/admin/language/plural.ts';
import type { Texts } from '../texts.ts';

const plural = pluralIn('de');

/** The followed streamers of a server in German. */
export const following: Texts['following'] = {
  command: { name: 'folgen', description: 'Wählen, welche Streamer in diesem Server angekündigt werden' },
  add: { name: 'hinzufügen', description: 'Streamer ankündigen, wenn sie live gehen' },
  edit: { name: 'ändern', description: 'Nachricht, Farbe, Kanal oder Rolle eines Streamers ändern' },
  list: { name: 'liste', description: 'Die Streamer anzeigen, denen der Server folgt' },
  remove: { name: 'entfernen', description: 'Streamern nicht mehr folgen' },
  import: { name: 'importieren', description: 'Bis zu 100 Streamer auf einmal hinzufügen' },
  export: { name: 'exportieren', description: 'Die Streamer als YAML herunterladen' },
  options: {
    streamer: { name: 'streamer', description: 'Ein Name, ein Link, oder mehrere mit Leerzeichen dazwischen' },
    channel: { name: 'kanal', description: 'Wo angekündigt wird; sonst der Kanal aus /einrichten' },
    member: { name: 'mitglied', description: 'Das Mitglied, das streamt: erhält die Live-Rolle aus /einrichten, solange es live ist' },
    editedMember: {
      name: 'mitglied',
      description: 'Das Mitglied, das streamt, für die Live-Rolle aus /einrichten. Niemand: wähle diesen Bot',
    },
    ping: { name: 'rolle', description: 'Die Rolle, die benachrichtigt wird; sonst die Rolle aus /einrichten' },
    file: { name: 'datei', description: 'Eine Datei aus /folgen exportieren oder mit Namen oder Links; sonst ein Formular' },
    only: { name: 'nur', description: 'Wörter, von denen Spiel oder Titel eines braucht: Schach, Speedrun. Alle Streams: *' },
  },
  title: {
    followed: (count) => plural(count, '### ✅ 1 Streamer hinzugefügt', `### ✅ ${count} Streamer hinzugefügt`),
    none: '### Kein Streamer wurde hinzugefügt',
    list: (count) => plural(count, '### Der Server folgt 1 Streamer', `### Der Server folgt ${count} Streamern`),
    removed: (count) => plural(count, '### 1 Streamer entfernt', `### ${count} Streamer entfernt`),
    undone: '### Rückgängig gemacht',
    off: (count) =>
      count === 0
        ? '### ⏸️ Die Ankündigungen sind ausgeschaltet'
        : plural(count, '### ⏸️ 1 Streamer wird nicht angekündigt', `### ⏸️ ${count} Streamer werden nicht angekündigt`),
    on: (count) =>
      count === 0
        ? '### ▶️ Die Ankündigungen sind eingeschaltet'
        : plural(count, '### ▶️ 1 Streamer wird angekündigt', `### ▶️ ${count} Streamer werden angekündigt`),
    streamerOff: (name) => `### ⏸️ ${name} wird nicht angekündigt`,
    streamerOn: (name) => `### ▶️ ${name} wird angekündigt`,
    edited: (name) => `### ✅ ${name} wurde geändert`,
  },
  next: (channel) => `Wenn ein Stream beginnt, erscheint eine Karte in ${channel}.`,
  lacks: (channel, permissions) =>
    `⚠️ In ${channel} kann ich noch nicht posten. Öffne die Einstellungen des Kanals und erlaube Fanfare unter „Berechtigungen“: **${permissions}**.`,
  pingsNoOne: 'Niemand wird benachrichtigt.',
  messagePingsNoOne:
    '⚠️ Der Text benachrichtigt niemanden. Um eine Rolle zu benachrichtigen, wähle sie unter „Rolle, die benachrichtigt wird“.',
  pings: (role) => `Sie benachrichtigt ${role}.`,
  member: (member) => `${member} erhält die Live-Rolle aus \`/einrichten\`, solange der Stream läuft.`,
  memberWithoutRole: (member) =>
    `⚠️ ${member} erhält noch keine Rolle: Dieser Server hat keine Live-Rolle. Mit \`/einrichten\` wählst du sie aus.`,
  changedMeanwhile: (name) =>
    `Jemand hat **${name}** geändert, während dein Formular offen war, deshalb wurde nichts gespeichert. Rufe \`/folgen ändern\` noch einmal auf.`,
  notMember: (user) => `${user} ist kein Mitglied dieses Servers. Wähle ein Mitglied.`,
  memberless: 'Für diesen Streamer erhält kein Mitglied die Live-Rolle.',
  noWords: 'Gib in der Option `nur` mindestens ein Wort an, oder `*`, um alle Streams anzukündigen.',
  only: (words) => `Nur Streams mit einem dieser Wörter in Spiel oder Titel: **${words}**.`,
  added: (name, platforms) => `**${name}** auf ${platforms}`,
  live: (name, what) => `🔴 **${name}** ist jetzt live: ${what}. Ankündigen?`,
  changed: (names) => `Geändert: ${names}`,
  unchanged: 'Die Liste enthält sie schon alle.',
  renamed: (before, after) => `**${before}** heißt jetzt **${after}**. Der neue Name ist gespeichert.`,
  joined: (name, platforms, channel) =>
    `Der Server folgt **${name}** ab jetzt auch auf ${platforms}: mit einer Karte in ${channel} für alle Plattformen von **${name}**.`,
  known: (name, channel) =>
    `Der Server folgt **${name}** schon und kündigt in ${channel} an. \`/folgen ändern\` ändert Kanal, Rolle und Wörter.`,
  notChannel: (name, platforms) => `⚠️ **${name}** ist kein Link eines Kanals auf einer dieser Plattformen: ${platforms}.`,
  unknown: (name, similar) =>
    similar === undefined
      ? `⚠️ **${name}** wurde nicht gefunden. Prüfe die Schreibweise, oder füge den Link des Kanals ein.`
      : `⚠️ **${name}** wurde nicht gefunden. Meinst du ${similar}?`,
  alsoAmbiguous: (names) =>
    `⚠️ Auch diese Namen gibt es auf mehreren Plattformen, deshalb wurden sie nicht hinzugefügt: ${names}. Füge sie mit den Links ihrer Kanäle hinzu.`,
  ambiguous: (name) => `⚠️ **${name}** gibt es auf mehreren Plattformen. Auf welcher?`,
  all: 'Auf allen',
  unreachable: (name, platform) => `⚠️ **${name}**: ${platform} ist nicht erreichbar. Versuche es in einer Minute erneut.`,
  full: (most) => `⚠️ Die Liste ist voll: Ein Server kann ${most} Streamern folgen. Entferne einige mit \`/folgen entfernen\`.`,
  gone: '⚠️ Der Kanal wurde gelöscht. Wähle mit `/folgen ändern` einen anderen, oder mit `/einrichten`, wenn es der Kanal des Servers ist.',
  noTarget: '⚠️ Nichts wird angekündigt, weil kein Kanal eingerichtet ist. `/einrichten` richtet einen ein.',
  noChannel: '⚠️ Noch ist kein Kanal eingerichtet. Klicke auf „Einrichten“, wähle einen Kanal und füge den Streamer dann erneut hinzu.',
  everyone: 'Um alle zu benachrichtigen, verwende die Schaltfläche in `/einrichten`, die noch einmal nachfragt.',
  liveRole: 'Die Live-Rolle aller Mitglieder wird in `/einrichten` gewählt: Entferne `liveRole` aus der Datei.',
  file: {
    tooLarge: 'Die Datei ist zu groß: Die Grenze ist 128 kB.',
    unreachable: 'Die Datei konnte nicht von Discord geladen werden. Gib den Befehl noch einmal ein.',
    noText: 'Die Datei enthält keinen Text. Hänge eine Datei aus `/folgen exportieren` an, oder eine mit Namen oder Links.',
  },
  noNames: 'Gib einen Namen oder den Link eines Kanals ein.',
  oneName: 'Nenne genau einen Streamer.',
  tooMany: (most) => `Gib höchstens ${most} Namen auf einmal ein.`,
  tooManyInDay: (retryAt) =>
    `Die Mitglieder dieses Servers haben in den letzten 24 Stunden viele Namen nachgeschlagen. Versuche es ${retryAt} noch einmal.`,
  notFollowed: (name) => `Der Server folgt **${name}** nicht. Wähle aus der Liste, die beim Tippen erscheint.`,
  nothingChanged: 'Es wurde nichts geändert.',
  empty: 'Der Server folgt noch keinem Streamer. Füge mit `/folgen hinzufügen` einen hinzu.',
  paused: '⏸️ ausgeschaltet',
  streamerPaused: (name) =>
    `⏸️ **${name}** ist ausgeschaltet, deshalb wird nichts angekündigt. \`/automation einschalten\` mit \`streamer\` schaltet die Ankündigungen ein.`,
  off: '⏸️ Die Ankündigungen in diesem Server sind ausgeschaltet. `/automation einschalten` schaltet sie ein.',
  offNext: 'Offene Karten werden weiter aktualisiert. Streams, die vor dem Einschalten beginnen, werden nicht nachträglich angekündigt.',
  onNext: 'Die nächsten Streams werden angekündigt. Streams, die schon laufen, werden nicht angekündigt.',
  stillPaused: (count) =>
    plural(
      count,
      '1 Streamer bleibt ausgeschaltet: `/automation einschalten` mit `streamer` schaltet einen ein.',
      `${count} Streamer bleiben ausgeschaltet: \`/automation einschalten\` mit \`streamer\` schaltet einen ein.`,
    ),
  onlyFollowed:
    'Dieser Befehl ist nur für die Regel `followed`, die Streamer von `/folgen hinzufügen` ankündigt. `/automation anhalten` hält andere Regeln an.',
  removedNext: 'Offene Karten werden geschlossen, und nichts wird mehr angekündigt.',
  undoneNext: (count) => plural(count, '1 Streamer ist wie zuvor.', `${count} Streamer sind wie zuvor.`),
  announced: (name) => `✅ **${name}** wird angekündigt.`,
  notAnnounced: {
    alreadyAnnounced: (name) => `**${name}** wurde schon angekündigt.`,
    notLive: (name, words) =>
      words === undefined
        ? `**${name}** ist nicht mehr live. Der nächste Stream wird angekündigt.`
        : `**${name}** ist nicht mehr live, oder Spiel und Titel haben keines dieser Wörter: **${words}**. Der nächste Stream mit einem davon wird angekündigt.`,
    unreachable: (name) =>
      `🟠 **${name}** wurde nicht angekündigt: Die Plattform ist nicht erreichbar. Versuche es in einer Minute noch einmal.`,
    other: (name, reason) => `🟠 **${name}** wurde nicht angekündigt: ${reason}`,
  },
  noRule:
    'Die mitgelieferte Automation `followed` läuft nicht, deshalb wird nichts angekündigt. Der Betreiber des Bots kann sie einschalten.',
  line: (name, platforms, channel) => `**${name}** · ${platforms} · ${channel}`,
  buttons: {
    undo: 'Rückgängig',
    enable: 'Einschalten',
    disable: 'Ausschalten',
    announce: (name) => `${name} jetzt ankündigen`,
    setUp: 'Einrichten',
    edit: 'Ändern',
    add: 'Streamern folgen',
  },
  form: {
    addTitle: 'Streamern folgen',
    names: 'Namen oder Links',
    namesHint: 'ada, twitch.tv/grace, kick.com/linus',
    importTitle: 'Streamer importieren',
    importNames: 'Bis zu 100 Namen oder Links, oder YAML-Export',
    editTitle: (name) => `${name} ändern`,
    message: 'Nachricht',
    messageHint: 'Platzhalter: {name} {title} {game} {url}',
    color: 'Farbe, zum Beispiel #9146ff',
    channel: 'Kanal',
    ping: 'Rolle, die benachrichtigt wird',
    after: 'Nach dem Stream',
    keep: 'Karte behalten und die Zusammenfassung zeigen',
    delete: 'Karte löschen',
  },
  sample: { name: 'Streamer', title: 'Der Titel des Streams', game: 'Das Spiel' },
  preview: {
    mark: '-# Vorschau: Nur du siehst sie, und niemand wird benachrichtigt.',
    failed: (reason) => `⚠️ Es gibt keine Vorschau: ${reason}`,
  },
  noText: (field) => `Schreibe für \`${field}\` einen Text in Anführungszeichen.`,
  noFlag: (field) => `Schreibe für \`${field}\` \`true\` oder \`false\`, ohne Anführungszeichen.`,
  wrongColor: 'Schreibe die Farbe mit sechs hexadezimalen Ziffern, zum Beispiel #9146ff.',
  unknownPlaceholder: (found) => `Den Platzhalter {${found}} gibt es nicht. Es gibt {name}, {title}, {game} und {url}.`,
};
