import { styleText } from 'node:util';
import type { Json, JsonObject } from '#src/operation/json.ts';
import { durationText } from '../wording/duration-text.ts';
import type { Mismatch } from './judging/judge.ts';
import type { Expectation } from './rule-tests.ts';
import type { CaseResult } from './run-rule-tests.ts';

type Style = 'red' | 'green' | 'dim';
type Paint = (style: Style, text: string) => string;

/** The case as a person reads it: one line where it passed, else both sides of all that does not agree. */
export function printCase(result: CaseResult, { color }: { readonly color: boolean }): string {
  const paint: Paint = (style, text) => (color ? styleText(style, text, { validateStream: false }) : text);
  const { passed, it, file, line, complaints, mismatches } = result;
  if (passed) return `${paint('green', '✓')} ${it}`;
  return [
    `${paint('red', '✗')} ${it} ${paint('dim', `${file}:${line}`)}`,
    ...complaints.map((complaint) => `    ${paint('red', complaint)}`),
    ...mismatches.flatMap((mismatch) => describe(mismatch, paint)),
    ...whatHappened(result, paint),
  ].join('\n');
}

function describe(mismatch: Mismatch, paint: Paint): readonly string[] {
  switch (mismatch.kind) {
    case 'missing': {
      const { expected } = mismatch;
      return [`    ${paint('red', 'missing')}    ${title(expected)} ${paint('dim', `line ${expected.line}`)}`, ...body(expected.with)];
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
          `      ${path}`,
          `        expected ${paint('green', show(wanted))}`,
          `        sent     ${paint('red', show(actual))}`,
        ]),
      ];
    }
  }
}

function title({ atMs, do: verb, as }: Pick<Expectation, 'atMs' | 'do' | 'as'>): string {
  return `${durationText(atMs)} ${verb}${as.length > 0 ? ` as ${as.join(', ')}` : ''}`;
}

function body(params: JsonObject): readonly string[] {
  return Object.entries(params).map(([name, value]) => `      ${name}: ${show(value)}`);
}

function show(value: Json | undefined): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

/** What the rule said of itself at the instants that do not agree. */
function whatHappened({ mismatches, slots }: CaseResult, paint: Paint): readonly string[] {
  const instants = new Set(mismatches.map((one) => ('sent' in one ? one.sent.atMs : one.expected.atMs)));
  const lines = slots
    .filter(({ atMs }) => instants.has(atMs))
    .flatMap(({ atMs, decisions, undone }) => [
      ...decisions.map(({ outcome, reason }) => `${durationText(atMs)} ${outcome}: ${reason}`),
      ...undone.map(({ planned, reason }) => `${durationText(atMs)} ${planned.step.do} as ${planned.account} not done: ${reason}`),
    ]);
  return lines.length > 0 ? ['    what the rule says:', ...lines.map((line) => paint('dim', `      ${line}`))] : [];
}
