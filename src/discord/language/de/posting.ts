import { pluralIn } from '../plural.ts';
import type { Texts } from '../texts.ts';

const plural = pluralIn('de');

/** Posts of users. */
export const posting: Texts['posting'] = {
  command: { name: 'post', description: 'Posts für soziale Netzwerke' },
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
    accounts: { name: 'konten', description: 'Welche Konten, durch Kommas getrennt' },
    picture: { name: 'bild', description: 'Ein Bild dazu' },
    alt: { name: 'alt', description: 'Die Beschreibung des Bildes für alle, die es nicht sehen können' },
    link: { name: 'link', description: 'Eine Adresse am Ende, die nie gekürzt wird' },
    long: { name: 'lang', description: 'Was aus einem zu langen Text wird' },
    post: { name: 'post', description: 'Welcher Post' },
  },
  long: { thread: 'mehrere Posts als Thread', truncate: 'gekürzt' },

  form: {
    title: 'Post',
    text: 'Text',
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
    asThread: 'Als Thread',
    shortened: 'Kürzen',
    accounts: 'Wohin er geht',
    back: 'Zurück',
    newer: 'Früher',
    older: 'Später',
    pick: 'Wähle einen, der wartet …',
    sendNow: 'Jetzt senden',
    move: 'Andere Zeit',
    cancel: 'Zurücknehmen',
  },

  preview: {
    now: '**Vorschau.** Vor deinem Klick auf den Knopf wird nichts gesendet.',
    at: (time) => `**Vorschau.** Nach deinem Klick auf den Knopf geht er ${time} raus.`,
    queue: (time) => `**Vorschau.** Nach deinem Klick auf den Knopf wartet er auf die nächste freie Zeit der Warteschlange: ${time}.`,
    noQueue: '**Vorschau.** Die Warteschlange hat keine Zeiten. Der Betreiber des Bots legt sie fest.',
    of: (length, most) => `${length} von ${most}`,
    long: (length) => `${length} lang`,
    part: (part, parts) => `${part} von ${parts}`,
    shortened: (length, most) => `gekürzt: Es waren ${length}, und ${most} passen`,
    links: (count) => plural(count, '1 Link, ganz', `${count} Links, ganz`),
    calls: (names) => `erwähnt ${names}`,
    callsNobody: (names) => `dort nur Text: ${names}`,
    alt: (text) => `Auf dem Bild: ${text}`,
    noAlt: 'Dem Bild fehlt eine Beschreibung für Menschen, die es nicht sehen können. Klicke auf „Bearbeiten“, um sie zu ergänzen.',
    cut: 'Der Text ist länger; die Vorschau zeigt nur diesen Teil.',
    empty: 'Der Post ist leer: Klicke auf „Bearbeiten“ und gib einen Text ein.',
    tooLong: (most) => `Das ist selbst für einen Thread zu lang; in einen Post passen ${most}. Drücke „Bearbeiten“ und kürze es.`,
    refused: (why) => `Senden ist nicht möglich: ${why}`,
  },

  result: {
    sending: '**Wird gesendet.**',
    done: '**Gesendet.**',
    partly: '**Nicht überall gesendet.**',
    failed: '**Nicht gesendet.**',
    waits: (time) => `**Wartet.** Er geht ${time} raus.`,
    cancelled: (person) => `**Zurückgenommen** von ${person}. Er wird nicht gesendet.`,
    dropped: 'Verworfen. Es wurde nichts gesendet.',
    later: 'Fanfare versucht es weiter. `/post warteschlange` zeigt das Ergebnis.',
    sent: (account, url) => `✅ **${account}**: ${url}`,
    pending: (account, why) => `⏳ **${account}**: noch nicht dort. ${why}`,
    unknown: (account) => `❔ **${account}**: Es ist ungewiss, ob er gesendet wurde. Prüfe das Konto, dann benutze \`/klären\`.`,
    not: (account, why) => `❌ **${account}**: ${why}`,
    failureNotice: (person, text) =>
      `${person} „${text}“ wurde nicht überall gesendet; \`/post warteschlange\` zeigt die Gründe. Es fehlt bei`,
    sentWithoutUrl: (account) => `✅ **${account}**`,
  },

  why: {
    unauthorized: 'Das Konto ist nicht mehr angemeldet. Der Betreiber des Bots muss es neu anmelden.',
    forbidden: 'Dem Konto fehlt die Berechtigung. Der Betreiber des Bots muss es prüfen.',
    rejected: 'Die Plattform hat ihn abgelehnt. Versuche es mit einem anderen Text oder Bild.',
    duplicate: 'Die Plattform hat diesen Post schon. Ändere den Text.',
    rateLimited: 'Die Plattform begrenzt die Anfragen. Fanfare versucht es weiter.',
    quotaExhausted: 'Das Kontingent des Kontos ist vorerst aufgebraucht.',
    unavailable: 'Die Plattform ist nicht verfügbar. Fanfare versucht es einen Tag lang weiter.',
    late: 'Er konnte nicht rechtzeitig gesendet werden. Poste ihn noch einmal, falls du ihn noch brauchst.',
    cancelled: 'Er wurde zurückgenommen.',
    other: (why) => `Fehlgeschlagen: ${why}`,
  },

  list: {
    none: 'Keine wartenden Posts.',
    waiting: (count) => plural(count, '**1 Post wartet**', `**${count} Posts warten**`),
    recent: '**Letzte Posts**',
    of: (accounts, person) => `${accounts} · von ${person}`,
    queued: 'Warteschlange',
    picture: 'mit Bild',
  },

  errors: {
    noAccount: 'Es gibt kein soziales Konto zum Posten. Der Betreiber des Bots kann eins hinzufügen.',
    unknownAccount: (name, known) => `Kein Konto heißt „${name}“. Es gibt: ${known}.`,
    noLink: 'Der Link muss mit http:// oder https:// beginnen.',
    tooLarge: 'Das Bild ist zu groß: Die Grenze ist 8 MB.',
    noPicture: 'Die Datei ist kein unterstütztes Bild. Unterstützt: PNG, JPEG, GIF und WebP.',
    unreachable: 'Das Bild ließ sich nicht von Discord holen. Gib den Befehl noch einmal ein.',
    gone: 'Dieser Entwurf wurde gelöscht: Entwürfe bleiben einen Tag. Gib den Befehl noch einmal ein.',
    notYours: 'Dieser Entwurf gehört jemand anderem.',
    over: 'Seine Zeit ist vorbei. Gib den Befehl mit einer anderen noch einmal ein.',
    begun: 'Zu spät: Der Post wird gerade gesendet oder wurde schon gesendet.',
    partly: 'Der Post wurde zurückgenommen, wo er noch nicht gesendet war. Anderswo war es zu spät.',
    missing: 'Diesen Post gibt es nicht. Wähle einen aus der Liste, die beim Tippen erscheint.',
    noQueue: 'Die Warteschlange hat keine Zeiten. Der Betreiber des Bots legt sie fest.',
    time: {
      past: (time) => `Ich habe ${time} verstanden, und das ist vorbei. Schreib den Tag dazu, etwa \`morgen 18:30\`.`,
      far: (time) => `Ich habe ${time} verstanden, und das ist mehr als ein Jahr hin.`,
      skipped: (time) =>
        `Dann werden die Uhren umgestellt und überspringen diese Zeit. Die nächste Zeit ist ${time}. Gib eine spätere Zeit ein.`,
      twice: (either, or, offset) =>
        `Dann werden die Uhren umgestellt, und diese Zeit kommt zweimal vor: ${either} und ${or}. Gib den Abstand zu UTC an, etwa \`${offset}\`.`,
      ambiguous: (either, or) => `Das kann ${either} oder ${or} sein. Schreib das Datum dazu, etwa \`24.12.2026 18:00\`.`,
      dayOnly: 'Die Uhrzeit fehlt. Schreib es etwa so: `morgen 9:00`.',
      unclear: 'Diese Zeit verstehe ich nicht. Schreib sie etwa so: `18:30`, `morgen 9:00`, `24.12.2026 18:00` oder `in 2 Stunden`.',
    },
  },
};
