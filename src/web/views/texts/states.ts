import type { Delivery } from '../../client/records.ts';
import type { BadgeTexts, Language } from '../language.ts';

/** The states of deliveries that send or change something. */
export const STATE_TEXTS: BadgeTexts<Delivery['state']> = {
  en: {
    pending: { word: 'pending', title: 'It waits for earlier deliveries or for its scheduled time.' },
    sending: { word: 'sending', title: 'Fanfare is sending it.' },
    asked: { word: 'asked', title: 'The question is posted and waits for an answer.' },
    sent: { word: 'sent', title: 'The platform confirmed it.' },
    failed: { word: 'failed', title: 'The platform rejected it, or every attempt failed.' },
    unknown: { word: 'unknown', title: 'It is unknown whether it was sent. Check the account and resolve it.' },
    skipped: { word: 'skipped', title: 'There was nothing to send.' },
  },
  de: {
    pending: { word: 'wartet', title: 'Wartet auf frühere Zustellungen oder auf die geplante Zeit.' },
    sending: { word: 'wird gesendet', title: 'Fanfare sendet gerade.' },
    asked: { word: 'Frage offen', title: 'Die Frage ist gestellt und wartet auf eine Antwort.' },
    sent: { word: 'gesendet', title: 'Die Plattform hat es bestätigt.' },
    failed: { word: 'fehlgeschlagen', title: 'Die Plattform hat abgelehnt, oder jeder Versuch ist fehlgeschlagen.' },
    unknown: { word: 'ungeklärt', title: 'Unbekannt, ob gesendet wurde. Im Konto nachsehen und klären.' },
    skipped: { word: 'nicht gesendet', title: 'Es gab nichts zu senden.' },
  },
};

/** The states of deliveries that only read, where they have other words. */
const READ_TEXTS: BadgeTexts<'sending' | 'sent' | 'skipped'> = {
  en: {
    sending: { word: 'being read', title: 'Fanfare is asking for the data.' },
    sent: { word: 'read', title: 'Fanfare asked for data that a later step needs. Nothing was announced.' },
    skipped: { word: 'not read', title: 'The data was not needed.' },
  },
  de: {
    sending: { word: 'wird gelesen', title: 'Fanfare fragt die Daten gerade ab.' },
    sent: { word: 'gelesen', title: 'Fanfare hat Daten für einen späteren Schritt abgefragt. Nichts wurde gemeldet.' },
    skipped: { word: 'nicht gelesen', title: 'Die Daten wurden nicht gebraucht.' },
  },
};

/** The word of the state of a delivery, with its explanation. */
export function stateText(
  { state, isRead = false }: Pick<Delivery, 'state' | 'isRead'>,
  language: Language,
): (typeof STATE_TEXTS)['en']['sent'] {
  const hasOtherWord = isRead && (state === 'sending' || state === 'sent' || state === 'skipped');
  return hasOtherWord ? READ_TEXTS[language][state] : STATE_TEXTS[language][state];
}
