import type { Texts } from '../language.ts';

/** The texts of the episodes of a rule. */
export const EPISODE_TEXTS = {
  en: {
    title: 'Episodes',
    none: 'No episodes yet.',
    announced: { word: 'announced', title: 'The rule announced the item.' },
    suppressed: { word: 'not announced', title: 'A setting of the rule or a pause suppressed the announcement.' },
    unannounced: { word: 'not announced', title: 'The episode has no announcement.' },
    waiting: { word: 'waiting', title: 'The announcement waits until the item stays long enough.' },
    phases: {
      pending: 'waits for confirmation',
      open: 'open',
      closing: 'gone, in its time of grace: it ends unless the item comes back',
      closed: 'ended',
    },
    parts: { waiting: 'waiting for confirmation', open: 'open and announced', suppressed: 'open, not announced', grace: 'time of grace' },
    spans: { waiting: 'waited', open: 'open', grace: 'grace' },
    older: 'Older episodes',
    newest: 'Newest episodes',
  },
  de: {
    title: 'Episoden',
    none: 'Noch keine Episoden.',
    announced: { word: 'gemeldet', title: 'Die Regel hat den Eintrag gemeldet.' },
    suppressed: { word: 'nicht gemeldet', title: 'Eine Einstellung der Regel oder eine Pause hat die Meldung unterdrückt.' },
    unannounced: { word: 'nicht gemeldet', title: 'Die Episode hat keine Meldung.' },
    waiting: { word: 'wartet', title: 'Die Meldung wartet, bis der Eintrag lange genug bleibt.' },
    phases: {
      pending: 'wartet auf Bestätigung',
      open: 'offen',
      closing: 'weg, in der Nachfrist: Sie endet, wenn der Eintrag nicht wiederkommt',
      closed: 'beendet',
    },
    parts: { waiting: 'wartet auf Bestätigung', open: 'offen und gemeldet', suppressed: 'offen, nicht gemeldet', grace: 'Nachfrist' },
    spans: { waiting: 'wartete', open: 'offen', grace: 'Nachfrist' },
    older: 'Ältere Episoden',
    newest: 'Neueste Episoden',
  },
} satisfies Texts;
