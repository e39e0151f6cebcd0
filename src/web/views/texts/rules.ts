import type { Texts } from '../language.ts';

/** The texts of the list of rules. */
export const RULES_TEXTS = {
  en: {
    title: 'Rules',
    text: 'Name or text',
    state: 'State',
    any: 'any',
    states: { on: 'on', paused: 'paused', failing: 'failing', broken: 'file with errors', off: 'off' },
    filter: 'Filter',
    showAll: 'Show all',
    none: 'No rules yet. Put a YAML file into the rules folder. Fanfare loads it as soon as you save it.',
    noMatch: 'No rule matches these filters.',
    newRule: 'To write a new rule:',
    rule: 'Rule',
    lastDecision: 'Last decision',
    nextRun: 'Next run',
    week: 'Announced, 7 days',
    counts: (counts: readonly number[]) =>
      `${sum(counts) === 1 ? '1 announcement' : `${sum(counts)} announcements`} in 7 days. By day, the oldest first: ${counts.join(', ')}.`,
    nothing: 'nothing',
    notCounted: 'not counted yet',
    noDecision: 'none yet',
    notSent: (count: number) => `${count} not sent`,
    undelivered: (failed: number, unknown: number) =>
      [failed > 0 ? `${failed} failed in the last 24 hours` : '', unknown > 0 ? `${unknown} unknown` : '']
        .filter((one) => one !== '')
        .join(', '),
    pausedBy: 'by',
    pausedUntil: 'until',
    pausedAutomatically: 'automatically, because it announced too often',
    moreProblems: (count: number) => (count === 1 ? 'One more error or warning.' : `${count} more errors and warnings.`),
    select: 'Select',
    selectAll: 'All on this page',
    selected: (count: number) => `${count} selected`,
    pause: 'Pause',
    resume: 'Resume',
    ofSelected: 'the selected rules',
    bulk: 'Selected rules',
    pages: 'Pages of rules',
    page: (page: number, pages: number) => `Page ${page} of ${pages}`,
    found: (found: number, total: number) => `${found === total ? '' : `${found} of `}${total} ${total === 1 ? 'rule' : 'rules'}`,
    first: 'First',
    previous: 'Previous',
    next: 'Next',
    last: 'Last',
    nothingSelected: 'Select rules first.',
    busy: {
      pause: (done: number, all: number) => `Pausing the selected rules: ${done} of ${all}…`,
      resume: (done: number, all: number) => `Resuming the selected rules: ${done} of ${all}…`,
    },
    done: { pause: (count: number) => `${rules(count)} paused.`, resume: (count: number) => `${rules(count)} resumed.` },
    notDone: (count: number) => `${rules(count)} not changed:`,
    noAnswer: 'Fanfare did not answer',
  },
  de: {
    title: 'Regeln',
    text: 'Name oder Text',
    state: 'Zustand',
    any: 'alle',
    states: { on: 'an', paused: 'angehalten', failing: 'mit fehlenden Zustellungen', broken: 'Datei mit Fehlern', off: 'aus' },
    filter: 'Filtern',
    showAll: 'Alle zeigen',
    none: 'Noch keine Regeln. Eine YAML-Datei in den Ordner der Regeln legen: Fanfare lädt sie beim Speichern.',
    noMatch: 'Keine Regel passt zu diesen Filtern.',
    newRule: 'Eine neue Regel schreiben:',
    rule: 'Regel',
    lastDecision: 'Letzte Entscheidung',
    nextRun: 'Nächster Lauf',
    week: 'Gemeldet, 7 Tage',
    counts: (counts: readonly number[]) =>
      `${sum(counts) === 1 ? '1 Meldung' : `${sum(counts)} Meldungen`} in 7 Tagen. Nach Tagen, der älteste zuerst: ${counts.join(', ')}.`,
    nothing: 'nichts',
    notCounted: 'noch nicht gezählt',
    noDecision: 'noch keine',
    notSent: (count: number) => `${count} nicht gesendet`,
    undelivered: (failed: number, unknown: number) =>
      [failed > 0 ? `${failed} in den letzten 24 Stunden fehlgeschlagen` : '', unknown > 0 ? `${unknown} ungeklärt` : '']
        .filter((one) => one !== '')
        .join(', '),
    pausedBy: 'von',
    pausedUntil: 'bis',
    pausedAutomatically: 'automatisch, weil sie zu oft gemeldet hat',
    moreProblems: (count: number) => (count === 1 ? 'Noch ein Fehler oder Hinweis.' : `Noch ${count} Fehler und Hinweise.`),
    select: 'Auswählen:',
    selectAll: 'Alle auf dieser Seite',
    selected: (count: number) => `${count} ausgewählt`,
    pause: 'Anhalten',
    resume: 'Fortsetzen',
    ofSelected: 'der ausgewählten Regeln',
    bulk: 'Ausgewählte Regeln',
    pages: 'Seiten der Regeln',
    page: (page: number, pages: number) => `Seite ${page} von ${pages}`,
    found: (found: number, total: number) => `${found === total ? '' : `${found} von `}${total} ${total === 1 ? 'Regel' : 'Regeln'}`,
    first: 'Erste',
    previous: 'Zurück',
    next: 'Weiter',
    last: 'Letzte',
    nothingSelected: 'Zuerst Regeln auswählen.',
    busy: {
      pause: (done: number, all: number) => `Ausgewählte Regeln anhalten: ${done} von ${all}…`,
      resume: (done: number, all: number) => `Ausgewählte Regeln fortsetzen: ${done} von ${all}…`,
    },
    done: { pause: (count: number) => `${regeln(count)} angehalten.`, resume: (count: number) => `${regeln(count)} fortgesetzt.` },
    notDone: (count: number) => `${regeln(count)} nicht geändert:`,
    noAnswer: 'Fanfare hat nicht geantwortet',
  },
} satisfies Texts;

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function rules(count: number): string {
  return count === 1 ? '1 rule' : `${count} rules`;
}

function regeln(count: number): string {
  return count === 1 ? '1 Regel' : `${count} Regeln`;
}
