import { styleText } from 'node:util';
import type { Json, JsonObject } from '#src/operation/json.ts';
import { visible } from '../wording/visible.ts';
import { atText } from './at-text.ts';
import { ENGLISH, type CaseWords } from './case-words.ts';
import { differences } from './judging/differences.ts';
import type { Mismatch } from './judging/judge.ts';
import type { Expectation } from './rule-tests.ts';
import type { CaseResult, Instant } from './run-rule-tests.ts';

/** More of one kind nobody reads. */
const MOST_SHOWN = 20;

type Style = 'red' | 'green' | 'dim';

/** How a case is written: with which words, and in which colours. */
interface Pen {
  readonly words: CaseWords;
  readonly paint: (style: Style, text: string) => string;
}

/** The case as a person reads it: one line where it passed, else both sides of all that does not agree. */
export function printCase(
  result: CaseResult,
  { color, words = ENGLISH }: { readonly color: boolean; readonly words?: CaseWords | undefined },
): string {
  const paint: Pen['paint'] = (style, text) => (color ? styleText(style, text, { validateStream: false }) : text);
  const pen: Pen = { words, paint };
  const { passed, file, line, complaints, mismatches } = result;
  const it = visible(result.it);
  if (passed) return `${paint('green', '✓')} ${it}`;
  return [
    `${paint('red', '✗')} ${it} ${paint('dim', visible(`${file}:${line}`))}`,
    ...complaints.slice(0, MOST_SHOWN).map((complaint) => `    ${paint('red', visible(complaint))}`),
    ...andMore(complaints, pen),
    ...mismatches.slice(0, MOST_SHOWN).flatMap((mismatch) => describe(mismatch, mismatches, pen)),
    ...andMore(mismatches, pen),
    ...whatHappened(result, pen),
  ].join('\n');
}

function andMore({ length }: readonly unknown[], { words, paint }: Pen): readonly string[] {
  return length > MOST_SHOWN ? [paint('dim', `    ${words.more(length - MOST_SHOWN)}`)] : [];
}

function describe(mismatch: Mismatch, all: readonly Mismatch[], pen: Pen): readonly string[] {
  const { words, paint } = pen;
  // What is said of each begins in one column.
  const width = Math.max(...[words.missing, words.unexpected, words.different].map((word) => word.length));
  const head = (): string => `    ${paint('red', words[mismatch.kind])}${' '.repeat(width - words[mismatch.kind].length + 1)}`;
  switch (mismatch.kind) {
    case 'missing': {
      const { expected } = mismatch;
      const where = paint('dim', words.line(expected.line));
      return [`${head()}${title(expected, words)} ${where}`, ...body(expected.with, words), ...elsewhere(expected, all, pen)];
    }
    case 'unexpected': {
      const { sent } = mismatch;
      return [head() + title({ ...sent, as: [sent.account] }, words), ...body(sent.params, words)];
    }
    case 'different': {
      const { expected, sent } = mismatch;
      return [
        `${head()}${title({ ...sent, as: [sent.account] }, words)} ${paint('dim', words.line(expected.line))}`,
        ...mismatch.differences.flatMap(({ path, expected: wanted, actual }) => [
          `      ${visible(path)}`,
          ...labelled(words.expected, wanted, { words, paint: (text) => paint('green', text) }),
          ...labelled(words.sent, actual, { words, paint: (text) => paint('red', text) }),
        ]),
      ];
    }
  }
}

function title({ atMs, do: verb, as }: Pick<Expectation, 'atMs' | 'do' | 'as'>, words: CaseWords): string {
  return visible(`${atText(atMs)} ${verb}${as.length > 0 ? ` ${words.as(as.join(', '))}` : ''}`);
}

/** When it was done, where that was at another time. */
function elsewhere(expected: Expectation, all: readonly Mismatch[], { words, paint }: Pen): readonly string[] {
  const times = all.flatMap((one) => {
    if (one.kind !== 'unexpected' || one.sent.do !== expected.do) return [];
    const { account, params, atMs } = one.sent;
    const isSame = (expected.as.length === 0 || expected.as.includes(account)) && differences(expected.with, params).length === 0;
    return isSame ? [atMs] : [];
  });
  return times.length > 0 ? [paint('dim', `      ${words.doneAt([...new Set(times)].map(atText).join(', '))}`)] : [];
}

function body(params: JsonObject, words: CaseWords): readonly string[] {
  return Object.entries(params).flatMap(([name, value]) => {
    const [first = '', ...more] = show(value, words);
    return [`      ${visible(name)}: ${first}`, ...more.map((line) => `        ${line}`)];
  });
}

function labelled(
  label: string,
  value: Json | undefined,
  { words, paint }: { readonly words: CaseWords; readonly paint: (text: string) => string },
): readonly string[] {
  const [first = '', ...more] = show(value, words);
  const width = Math.max(words.expected.length, words.sent.length);
  return [`        ${label.padEnd(width)} ${paint(first)}`, ...more.map((line) => `        ${' '.repeat(width)} ${paint(line)}`)];
}

/** A value in one line; a text of several lines below each other. */
function show(value: Json | undefined, { nothing }: CaseWords): readonly string[] {
  if (value === undefined) return [nothing];
  if (typeof value !== 'string' || !value.includes('\n')) return [visible(JSON.stringify(value))];
  return value.split('\n').map((line) => `│ ${visible(line)}`);
}

/** What the rule said of itself: all of it, or of much what it said where something does not agree, or when it was run last before. */
function whatHappened({ mismatches, instants }: CaseResult, pen: Pen): readonly string[] {
  const said = (instant: Instant): readonly string[] => saying(instant, pen.words);
  const all = instants.flatMap(said);
  if (mismatches.length > 0 && all.length <= MOST_SHOWN) return told(all, pen);
  const wrong = new Set(mismatches.slice(0, MOST_SHOWN).map((one) => ('sent' in one ? one.sent.atMs : one.expected.atMs)));
  const shown = new Set([...wrong].flatMap((atMs) => instants.findLast((instant) => instant.atMs <= atMs) ?? []));
  return told(instants.filter((instant) => shown.has(instant)).flatMap(said), pen);
}

function told(lines: readonly string[], { words, paint }: Pen): readonly string[] {
  return lines.length > 0 ? [`    ${words.says}`, ...lines.map((line) => paint('dim', `      ${visible(line)}`))] : [];
}

function saying({ atMs, decisions, undone }: Instant, words: CaseWords): readonly string[] {
  return [
    ...decisions.map((decision) => `${atText(atMs)} ${words.decided(decision)}`),
    ...undone.map((one) => `${atText(atMs)} ${words.undone(one)}`),
  ];
}
