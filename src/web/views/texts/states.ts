import type { Delivery } from '../../client/records.ts';
import type { BadgeTexts } from '../language.ts';

/** The states of deliveries. */
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
