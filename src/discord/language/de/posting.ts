import { pluralIn } from '#src/admin/language/plural.ts';
import type { Texts } from '../texts.ts';

const plural = pluralIn('de');

/** Posts of users. */
export const posting: Texts['posting'] = {
  command: { name: 'post', description: 'In sozialen Netzwerken posten' },
  now: { name: 'jetzt', description: 'Sofort posten, nach einer Vorschau' },
  schedule: { name: 'planen', description: 'Zu einer bestimmten Zeit posten' },
  queue: {
    name: 'warteschlange',
    description: 'Zur nächsten freien Zeit der Warteschlange posten; ohne Optionen die Warteschlange zeigen',
  },
  cancel: { name: 'zurücknehmen', description: 'Einen Post zurücknehmen, der noch wartet' },
  options: {
    time: { name: 'zeit', description: '18:30, morgen 9:00, 24.12. 18 Uhr, in 2 Stunden' },
    text: { name: 'text', description: 'Der Text; ohne ihn öffnet sich ein Formular für lange Texte' },
    accounts: { name: 'konten', description: 'Die Konten, durch Kommas getrennt' },
    picture: { name: 'bild', description: 'Ein Bild' },
    alt: { name: 'alt', description: 'Die Beschreibung des Bildes für alle, die es nicht sehen können' },
    link: { name: 'link', description: 'Ein Link am Ende, der nie gekürzt wird' },
    warning: { name: 'warnung', description: 'Eine Inhaltswarnung, die den Post bis zu einem Klick verdeckt' },
    long: { name: 'lang', description: 'Was mit einem zu langen Text geschieht' },
    post: { name: 'post', description: 'Der Post' },
  },
  zone: (zone) => `Eingegebene Zeiten gelten in der Zeitzone \`${zone}\`.`,
  zoneHint: (zone) => `Zeitzone: ${zone}`,
  long: { thread: 'mehrere Posts als Thread', truncate: 'gekürzt' },

  form: {
    title: 'Post',
    text: 'Text',
    warning: 'Inhaltswarnung',
    alt: 'Beschreibung des Bildes',
    time: 'Wann er gesendet wird',
    timeTitle: 'Andere Zeit',
  },

  buttons: {
    send: 'Senden',
    schedule: 'Planen',
    queue: 'Einreihen',
    edit: 'Bearbeiten',
    drop: 'Verwerfen',
    asThread: 'Als Thread senden',
    shortened: 'Kürzen',
    accounts: 'Konten wählen …',
    back: 'Zurück',
    newer: 'Früher',
    older: 'Später',
    pick: 'Einen wartenden Post wählen …',
    sendNow: 'Jetzt senden',
    move: 'Andere Zeit',
    cancel: 'Zurücknehmen',
  },

  preview: {
    now: '**Vorschau.** Bis du auf den Knopf klickst, wird nichts gesendet.',
    at: (time) => `**Vorschau.** Klicke auf den Knopf, um den Post für ${time} zu planen.`,
    queue: (time) => `**Vorschau.** Klicke auf den Knopf, um den Post einzureihen. Die nächste freie Zeit der Warteschlange ist ${time}.`,
    noQueue: '**Vorschau.** Die Warteschlange hat keine Zeiten. Der Betreiber des Bots legt sie fest.',
    of: (length, most) => `${length} von ${most} Zeichen`,
    long: (length) => `${length} Zeichen`,
    part: (part, parts) => `${part} von ${parts}`,
    shortened: (length) => `gekürzt von ${length} Zeichen`,
    links: (count) => plural(count, '1 Link, ungekürzt', `${count} Links, ungekürzt`),
    calls: (names) => `erwähnt ${names}`,
    callsNobody: (names) => `kein Ping, nur Text: ${names}`,
    warning: (text) => `Inhaltswarnung: ${text}`,
    alt: (text) => `Auf dem Bild: ${text}`,
    noAlt: 'Dem Bild fehlt eine Beschreibung für Menschen, die es nicht sehen können. Klicke auf „Bearbeiten“, um sie zu ergänzen.',
    cut: 'Der Text ist länger; die Vorschau zeigt nur diesen Teil.',
    empty: 'Der Post ist leer: Klicke auf „Bearbeiten“ und gib einen Text ein.',
    tooLong: (most) => `Der Text ist zu lang, auch für einen Thread aus Posts mit ${most} Zeichen. Klicke auf „Bearbeiten“ und kürze ihn.`,
    refused: (why) => `Senden ist nicht möglich: ${why}`,
  },

  result: {
    sending: '**Wird gesendet …**',
    done: '**Gesendet.**',
    partly: '**Nicht überall gesendet.**',
    failed: '**Nicht gesendet.**',
    waits: (time) => `**Wartet.** Fanfare sendet den Post ${time}.`,
    cancelled: (person) => `**Zurückgenommen** von ${person}. Der Post wird nicht gesendet.`,
    dropped: 'Verworfen. Es wurde nichts gesendet.',
    later: 'Fanfare versucht es weiter. `/post warteschlange` zeigt das Ergebnis.',
    sent: (account, url) => `✅ **${account}**: ${url}`,
    pending: (account, why) => `⏳ **${account}**: noch nicht gesendet. ${why}`,
    unknown: (account) =>
      `❔ **${account}**: Es ist nicht bekannt, ob der Post gesendet wurde. Prüfe das Konto und verwende dann \`/klären\`.`,
    not: (account, why) => `❌ **${account}**: ${why}`,
    failureNotice: (person, text) =>
      `${person} „${text}“ wurde nicht wie geplant gesendet; \`/post warteschlange\` zeigt die Gründe. Der Post fehlt oder ist unvollständig bei`,
    sentWithoutUrl: (account) => `✅ **${account}**`,
    withoutPicture: (why) => `Das Bild fehlt: ${why}`,
    threadBegun: (url) => `Der Anfang des Threads wurde gesendet: ${url}`,
    threadEnded: (url) => `Nur der Anfang des Threads wurde gesendet: ${url}. Lösche ihn, bevor du noch einmal postest.`,
  },

  why: {
    disconnected: 'Das Konto ist nicht verbunden. Der Betreiber des Bots muss es verbinden.',
    unauthorized: 'Das Konto ist nicht mehr angemeldet. Der Betreiber des Bots muss es neu anmelden.',
    forbidden: 'Dem Konto fehlt die Berechtigung für diesen Post. Der Betreiber des Bots muss es prüfen.',
    rejected: 'Die Plattform hat den Post abgelehnt. Versuche es mit einem anderen Text oder Bild.',
    duplicate: 'Die Plattform hat diesen Post schon. Ändere den Text.',
    rateLimited: 'Die Plattform begrenzt die Anfragen. Fanfare versucht es weiter.',
    quotaExhausted: 'Das Kontingent des Kontos ist vorerst aufgebraucht.',
    unavailable: 'Die Plattform ist nicht verfügbar. Fanfare versucht es einen Tag lang weiter.',
    exhausted:
      'Kein Versuch war erfolgreich, und Fanfare versucht es nicht weiter. Sende den Post noch einmal, falls du ihn noch brauchst.',
    late: 'Der Post konnte nicht rechtzeitig gesendet werden. Poste ihn noch einmal, falls du ihn noch brauchst.',
    cancelled: 'Der Post wurde zurückgenommen.',
    other: (why) => `Senden fehlgeschlagen: ${why}`,
  },

  list: {
    none: 'Keine wartenden Posts.',
    waiting: (count) => plural(count, '**1 Post wartet**', `**${count} Posts warten**`),
    recent: '**Letzte Posts**',
    of: (accounts, person) => `${accounts} · von ${person}`,
    edited: (person) => `bearbeitet von ${person}`,
    queued: 'Warteschlange',
    picture: 'mit Bild',
  },

  errors: {
    noAccount: 'Es gibt kein soziales Konto zum Posten. Der Betreiber des Bots kann eins hinzufügen.',
    unknownAccount: (name, known) => `Das Konto „${name}“ gibt es nicht. Es gibt: ${known}.`,
    altWithoutPicture:
      'Die Option `alt` beschreibt ein Bild, aber dieser Post hat keins. Füge die Option `bild` hinzu, oder lass `alt` weg.',
    noLink: 'Der Link muss mit http:// oder https:// beginnen.',
    tooLarge: 'Das Bild ist zu groß: Die Grenze ist 8 MB.',
    noPicture: 'Die Datei ist kein unterstütztes Bild. Unterstützt: PNG, JPEG, GIF und WebP.',
    unreachable: 'Das Bild konnte nicht von Discord geladen werden. Gib den Befehl noch einmal ein.',
    gone: 'Dieser Entwurf wurde schon gesendet oder verworfen, oder er ist älter als einen Tag. `/post warteschlange` zeigt die letzten Posts. Für einen neuen gib den Befehl noch einmal ein.',
    notYours: 'Dieser Entwurf gehört einem anderen Mitglied.',
    over: 'Diese Zeit ist vorbei. Gib den Befehl mit einer anderen Zeit noch einmal ein.',
    begun: 'Zu spät: Der Post wird gerade gesendet oder wurde schon gesendet.',
    notSent: 'Zu spät: Der Post wurde nicht gesendet. `/post warteschlange` zeigt den Grund.',
    moved: (time) =>
      `Jemand hat diesen Post inzwischen verschoben: Fanfare sendet ihn jetzt ${time}. Um das zu ändern, rufe \`/post warteschlange\` noch einmal auf.`,
    edited:
      'Jemand hat diesen Post inzwischen bearbeitet, deshalb wurde dein Text nicht gespeichert. Um den neuen Text zu bearbeiten, rufe `/post warteschlange` noch einmal auf.',
    partly: 'Der Post wurde auf den Konten zurückgenommen, auf denen er noch nicht gesendet war. Auf den anderen wurde er schon gesendet.',
    missing: 'Diesen Post gibt es nicht. Wähle einen aus der Liste, die beim Tippen erscheint.',
    noQueue: 'Die Warteschlange hat keine Zeiten. Der Betreiber des Bots legt sie fest.',
    time: {
      past: (time) => `Ich lese das als ${time}, und das ist vorbei. Gib den Tag an, zum Beispiel \`morgen 18:30\`.`,
      far: (time) => `Ich lese das als ${time}, und das ist mehr als ein Jahr entfernt. Gib ein früheres Datum an.`,
      skipped: (time) =>
        `Diese Zeit gibt es nicht, weil dann die Uhren umgestellt werden. Die nächste Zeit ist ${time}. Gib eine spätere Zeit an.`,
      twice: (either, or, offset) =>
        `Diese Zeit gibt es zweimal, weil dann die Uhren umgestellt werden: ${either} und ${or}. Gib den Abstand zu UTC an, zum Beispiel \`${offset}\`.`,
      ambiguous: (either, or, date) =>
        `Das kann ${either} oder ${or} bedeuten. Gib das Datum und die Uhrzeit an, zum Beispiel \`${date}\`.`,
      dayOnly: 'Die Uhrzeit fehlt. Gib sie an, zum Beispiel `morgen 9:00`.',
      unclear: 'Ich verstehe diese Zeit nicht. Schreibe sie zum Beispiel so: `18:30`, `morgen 9:00`, `24.12. 18:00` oder `in 2 Stunden`.',
    },
  },
};
