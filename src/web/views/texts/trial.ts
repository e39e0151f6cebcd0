import { scenarios as germanScenarios } from '#src/admin/language/de/scenarios.ts';
import { scenarios } from '#src/admin/language/scenarios.ts';
import type { Preview } from '../../client/records.ts';
import type { Texts } from '../language.ts';

type StepPlace = Preview['scenarios'][number]['steps'][number]['position'];

/** The texts of the preview and the tests of a rule. */
export const TRIAL_TEXTS = {
  en: {
    title: 'Try it without sending',
    preview: 'Preview',
    previewed: 'This is the preview. Nothing was sent.',
    notPreviewed: 'The poll failed, so the preview is not complete. Nothing was sent.',
    test: 'Run its tests',
    tested: 'The tests ran. Nothing was sent.',
    notPassed: 'Not all tests passed. Nothing was sent.',
    noCases: (rules: string) => `No tests for ${rules}. Tests are in a file beside the rule, for example live.test.yaml.`,
    simulated: (accounts: string) => `Not connected, simulated for the tests: ${accounts}`,
    passed: 'passed',
    failed: 'failed',
    read: (count: number, counted: number) =>
      `The poll has ${count} ${count === 1 ? 'item' : 'items'}, of which the rule counts ${counted}.`,
    readFailed: 'The poll failed:',
    sample: { item: 'The preview uses an example item.', payload: 'The preview uses an example payload.' },
    ignoresIf: 'It ignores `if` of the rule.',
    reads: 'read now',
    step: ({ section, number }: StepPlace) => `${section === 'then' ? '' : `${section} `}step ${number}`,
    toMessage: (message: string) => `the message ${message}`,
    length: (path: string, length: string, most: string) => `${path}: ${length} of ${most} characters`,
    nothing: 'The rule would announce nothing now.',
    notAnnounced: 'Not announced:',
    notRun: 'Not run:',
    after: (span: string) => `${span} later`,
    pings: 'Pings:',
    onlyText: 'No ping, only text:',
    unknownUser: (user: string, account: string) => `There is no user ${user} on ${account}. Correct the name in the rule.`,
    scenarios,
  },
  de: {
    title: 'Ausprobieren, ohne zu senden',
    preview: 'Vorschau',
    previewed: 'Das ist die Vorschau. Nichts wurde gesendet.',
    notPreviewed: 'Die Abfrage ist fehlgeschlagen, deshalb ist die Vorschau unvollständig. Nichts wurde gesendet.',
    test: 'Tests ausführen',
    tested: 'Die Tests sind gelaufen. Nichts wurde gesendet.',
    notPassed: 'Nicht alle Tests sind bestanden. Nichts wurde gesendet.',
    noCases: (rules: string) => `Keine Tests für ${rules}. Tests stehen in einer Datei neben der Regel, zum Beispiel live.test.yaml.`,
    simulated: (accounts: string) => `Nicht verbunden, für die Tests simuliert: ${accounts}`,
    passed: 'bestanden',
    failed: 'fehlgeschlagen',
    read: (count: number, counted: number) =>
      `Die Abfrage hat ${count} ${count === 1 ? 'Eintrag' : 'Einträge'}, die Regel zählt ${counted} davon.`,
    readFailed: 'Die Abfrage ist fehlgeschlagen:',
    sample: { item: 'Die Vorschau verwendet einen Beispieleintrag.', payload: 'Die Vorschau verwendet Beispieldaten.' },
    ignoresIf: 'Sie beachtet `if` der Regel nicht.',
    reads: 'jetzt abgefragt',
    step: ({ section, number }: StepPlace) => `Schritt ${number}${section === 'then' ? '' : ` von ${section}`}`,
    toMessage: (message: string) => `die Nachricht ${message}`,
    length: (path: string, length: string, most: string) => `${path}: ${length} von ${most} Zeichen`,
    nothing: 'Die Regel würde jetzt nichts melden.',
    notAnnounced: 'Nicht gemeldet:',
    notRun: 'Nicht ausgeführt:',
    after: (span: string) => `${span} später`,
    pings: 'Erwähnt:',
    onlyText: 'Nur Text, ohne Benachrichtigung:',
    unknownUser: (user: string, account: string) => `Auf ${account} gibt es ${user} nicht. Den Namen in der Regel korrigieren.`,
    scenarios: germanScenarios,
  },
} satisfies Texts;
