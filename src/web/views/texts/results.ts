import type { Texts } from '../language.ts';

/** The results of actions on rules and deliveries. `name`: the rule or the item. */
export const RESULT_TEXTS = {
  en: {
    wasRun: (name: string) => `${name} was run.`,
    announced: (count: number) => `It announced ${count || 'nothing'}.`,
    paused: (name: string) => `${name} is paused.`,
    planned: (name: string) => `${name} is paused at the planned time.`,
    unplanned: (name: string) => `${name} has no planned pause now.`,
    resumed: (name: string) => `${name} runs again.`,
    sentAgain: (name: string) => `${name} is sent again.`,
    countsAsSent: (name: string) => `${name} counts as sent.`,
    answered: (name: string) => `${name} is answered.`,
    answerStored: 'Your answer is stored. The question waits for the answers of other people.',
    remark: (why: string) => `Note: ${why}.`,
    againQuestion: (name: string) => `Send ${name} again? If the first message arrived, it appears twice.`,
    noAnswer: 'Fanfare did not answer. Try again: it is not done twice.',
    moved: 'Not done: the page changed just before the press. Check the entry, and press again.',
    mayBeDone: 'Fanfare did not answer. Look whether it is done before you repeat it.',
  },
  de: {
    wasRun: (name: string) => `${name} wurde ausgeführt.`,
    announced: (count: number) => `Gemeldet: ${count || 'nichts'}.`,
    paused: (name: string) => `${name} ist angehalten.`,
    planned: (name: string) => `${name} wird zur geplanten Zeit angehalten.`,
    unplanned: (name: string) => `${name} hat keine geplante Pause mehr.`,
    resumed: (name: string) => `${name} läuft wieder.`,
    sentAgain: (name: string) => `${name} wird noch einmal gesendet.`,
    countsAsSent: (name: string) => `${name} gilt als gesendet.`,
    answered: (name: string) => `${name} ist beantwortet.`,
    answerStored: 'Die Antwort ist gespeichert. Die Frage wartet auf die Antworten weiterer Personen.',
    remark: (why: string) => `Hinweis: ${why}.`,
    againQuestion: (name: string) => `${name} noch einmal senden? Wenn die erste Nachricht ankam, erscheint sie doppelt.`,
    noAnswer: 'Fanfare hat nicht geantwortet. Noch einmal versuchen: Es geschieht nicht doppelt.',
    moved: 'Nicht ausgeführt: Die Seite hat sich gerade geändert. Den Eintrag prüfen, und noch einmal drücken.',
    mayBeDone: 'Fanfare hat nicht geantwortet. Vor einer Wiederholung nachsehen, ob es schon geschehen ist.',
  },
} satisfies Texts;
