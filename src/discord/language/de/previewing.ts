import { pluralIn } from '#src/admin/language/plural.ts';
import { scenarios } from '#src/admin/language/de/scenarios.ts';
import type { Texts } from '../texts.ts';

const plural = pluralIn('de');

/** The preview of a rule. */
export const previewing: Texts['controls']['previewing'] = {
  title: (rule) => `Vorschau: ${rule}`,
  noUser: (user, account) => `Der Benutzer ${user} existiert auf ${account} nicht. Korrigiere den Namen in der Regel.`,
  nothingSent: 'Nichts wurde gesendet. IDs und Adressen neuer Nachrichten sind Platzhalter.',
  read: (count, counted, matching) => `${count} gelesen, ${counted} davon ${plural(matching, 'passt', 'passen')} zu dieser Regel.`,
  sample: { item: 'Die Liste ist leer: Die Vorschau verwendet einen Beispieleintrag.', payload: 'Die Vorschau verwendet Beispieldaten.' },
  ignoresIf: 'Sie beachtet `if` der Regel nicht.',
  ignores: (keys) => `Die Vorschau beachtet ${keys} nicht: Eine Nachricht kann später kommen oder ausbleiben.`,
  answersFirst: 'Die Vorschau beantwortet jede Frage mit der ersten Antwort.',
  failed: (why) => `Die Abfrage ist fehlgeschlagen: ${why}`,
  nothing: 'Die Regel würde nichts melden.',
  silent: (why) => `Nicht gemeldet: ${why}`,
  cut: '`npx fanfare preview` zeigt den Rest.',
  scenarios,
  toMessage: 'ändert die Nachricht',
  asked: 'jetzt abgefragt',
  failedStep: (why) => `Nicht möglich: ${why}`,
  skippedStep: (why) => `Ausgelassen: ${why}`,
  shortened: 'Der Text ist zu lang und wird gekürzt.',
  shortenedWarning: 'Die Inhaltswarnung ist zu lang und wird gekürzt.',
  cutCards: 'Alle Karten der Nachricht sind zusammen zu lang: Ihre letzten Felder und Beschreibungen werden gekürzt.',
  foreignPing: (name) => `Die Nachricht wird ohne die Erwähnung ${name} gesendet: Ein Text der Plattform erreicht nie alle Mitglieder.`,
  removesButtons: 'Die Bearbeitung entfernt alle Buttons: Sie hat keinen, den Discord annimmt.',
  file: (path, why) => `Die Datei ${path} lässt sich nicht senden („${why}“)`,
  length: (length, most) => `${length} von ${most} Zeichen`,
  lengthOf: (field, length, most) => `${field}: ${length} von ${most} Zeichen`,
  pings: (names) => `pingt ${names}`,
  onlyText: (names) => `kein Ping, nur Text: ${names}`,
  picture: 'Bild',
};
