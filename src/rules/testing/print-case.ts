import { styleText } from 'node:util';
import type { Json, JsonObject } from '#src/operation/json.ts';
import { visible } from '../wording/visible.ts';
import { atText } from './at-text.ts';
import { differences } from './judging/differences.ts';
import type { Mismatch } from './judging/judge.ts';
import type { Expectation } from './rule-tests.ts';
import type { CaseResult, Instant } from './run-rule-tests.ts';

/** More of one kind nobody reads. */
const MOST_SHOWN = 20;

type Style = 'red' | 'green' | 'dim';
type Paint = (style: Style, text: string) => string;

/** The case as a person reads it: one line where it passed, else both sides of all that does not agree. */
export function printCase(result: CaseResult, { color }: { readonly color: boolean }): string {
  const paint: Paint = (style, text) => (color ? styleText(style, text, { validateStream: false }) : text);
  const { passed, file, line, complaints, mismatches } = result;
  const it = visible(result.it);
  if (passed) return `${paint('green', '✓')} ${it}`;
  return [
    `${paint('red', '✗')} ${it} ${paint('dim', visible(`${file}:${line}`))}`,
    ...complaints.slice(0, MOST_SHOWN).map((complaint) => `    ${paint('red', visible(complaint))}`),
    ...andMore(complaints, paint),
    ...mismatches.slice(0, MOST_SHOWN).flatMap((mismatch) => describe(mismatch, mismatches, paint)),
    ...andMore(mismatches, paint),
    ...whatHappened(result, paint),
  ].join('\n');
}

function andMore({ length }: readonly unknown[], paint: Paint): readonly string[] {
  return length > MOST_SHOWN ? [paint('dim', `    and ${length - MOST_SHOWN} more`)] : [];
}

function describe(mismatch: Mismatch, all: readonly Mismatch[], paint: Paint): readonly string[] {
  switch (mismatch.kind) {
    case 'missing': {
      const { expected } = mismatch;
      const head = `    ${paint('red', 'missing')}    ${title(expected)} ${paint('dim', `line ${expected.line}`)}`;
      return [head, ...body(expected.with), ...elsewhere(expected, all, paint)];
    }
    case 'unexpected': {
      const { sent } = mismatch;
      return [`    ${paint('red', 'unexpected')} ${title({ ...sent, as: [sent.account] })}`, ...body(sent.params)];
    }
    case 'different': {
      const { expected, sent } = mismatch;
      return [
        `    ${paint('red', 'different')}  ${title({ ...sent, as: [sent.account] })} ${paint('dim', `line ${expected.line}`)}`,
        ...mismatch.differences.flatMap(({ path, expected: wanted, actual }) => [
          `      ${visible(path)}`,
          ...labelled('expected', wanted, (text) => paint('green', text)),
          ...labelled('sent    ', actual, (text) => paint('red', text)),
        ]),
      ];
    }
  }
}

function title({ atMs, do: verb, as }: Pick<Expectation, 'atMs' | 'do' | 'as'>): string {
  return visible(`${atText(atMs)} ${verb}${as.length > 0 ? ` as ${as.join(', ')}` : ''}`);
}

/** When it was done, where that was at another time. */
function elsewhere(expected: Expectation, all: readonly Mismatch[], paint: Paint): readonly string[] {
  const times = all.flatMap((one) => {
    if (one.kind !== 'unexpected' || one.sent.do !== expected.do) return [];
    const { account, params, atMs } = one.sent;
    const isSame = (expected.as.length === 0 || expected.as.includes(account)) && differences(expected.with, params).length === 0;
    return isSame ? [atMs] : [];
  });
  return times.length > 0 ? [paint('dim', `      it was done at ${[...new Set(times)].map(atText).join(', ')}`)] : [];
}

function body(params: JsonObject): readonly string[] {
  return Object.entries(params).flatMap(([name, value]) => {
    const [first = '', ...more] = show(value);
    return [`      ${visible(name)}: ${first}`, ...more.map((line) => `        ${line}`)];
  });
}

function labelled(label: string, value: Json | undefined, tint: (text: string) => string): readonly string[] {
  const [first = '', ...more] = show(value);
  return [`        ${label} ${tint(first)}`, ...more.map((line) => `        ${' '.repeat(label.length)} ${tint(line)}`)];
}

/** A value in one line; a text of several lines below each other. */
function show(value: Json | undefined): readonly string[] {
  if (value === undefined) return ['nothing'];
  if (typeof value !== 'string' || !value.includes('\n')) return [visible(JSON.stringify(value))];
  return value.split('\n').map((line) => `│ ${visible(line)}`);
}

/** What the rule said of itself: all of it, or of much what it said where something does not agree, or when it was run last before. */
function whatHappened({ mismatches, instants }: CaseResult, paint: Paint): readonly string[] {
  const all = instants.flatMap(saying);
  if (mismatches.length > 0 && all.length <= MOST_SHOWN) return told(all, paint);
  const wrong = new Set(mismatches.slice(0, MOST_SHOWN).map((one) => ('sent' in one ? one.sent.atMs : one.expected.atMs)));
  const shown = new Set([...wrong].flatMap((atMs) => instants.findLast((instant) => instant.atMs <= atMs) ?? []));
  return told(instants.filter((instant) => shown.has(instant)).flatMap(saying), paint);
}

function told(lines: readonly string[], paint: Paint): readonly string[] {
  return lines.length > 0 ? ['    what the rule says:', ...lines.map((line) => paint('dim', `      ${visible(line)}`))] : [];
}

function saying({ atMs, decisions, undone }: Instant): readonly string[] {
  return [
    ...decisions.map(({ outcome, reason }) => `${atText(atMs)} ${outcome}: ${reason}`),
    ...undone.map(({ planned, reason }) => `${atText(atMs)} ${planned.step.do} as ${planned.account} not done: ${reason}`),
  ];
}
