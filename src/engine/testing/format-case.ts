import { styleText } from 'node:util';
import type { Json, JsonObject } from '#src/clients/operation/json.ts';
import { visible } from '#src/rules/messages/format.ts';
import { formatOffset, type Expectation } from './rule-tests.ts';
import { differences } from './differences.ts';
import type { Mismatch } from './compare-sent.ts';
import type { CaseResult, Instant } from './case-result.ts';
import type { Decision } from '#src/rules/decision.ts';
import type { Undone } from './outcome.ts';

/** A report shows at most this many entries of a kind. */
const MOST_SHOWN = 20;

type Style = 'red' | 'green' | 'dim';

/** The messages and colours of a case report. */
interface Printer {
  readonly messages: CaseMessages;
  readonly paint: (style: Style, text: string) => string;
}

/** Formats a case: one line if it passed, else both sides of every difference. */
export function formatCase(
  result: CaseResult,
  { color, messages = ENGLISH }: { readonly color: boolean; readonly messages?: CaseMessages | undefined },
): string {
  const paint: Printer['paint'] = (style, text) => (color ? styleText(style, text, { validateStream: false }) : text);
  const printer: Printer = { messages, paint };
  const { passed, file, line, errors, mismatches } = result;
  const it = visible(result.it);
  if (passed) return `${paint('green', '✓')} ${it}`;
  return [
    `${paint('red', '✗')} ${it} ${paint('dim', visible(`${file}:${line}`))}`,
    ...errors.slice(0, MOST_SHOWN).map((error) => `    ${paint('red', visible(error))}`),
    ...andMore(errors, printer),
    ...mismatches.slice(0, MOST_SHOWN).flatMap((mismatch) => describe(mismatch, mismatches, printer)),
    ...andMore(mismatches, printer),
    ...history(result, printer),
  ].join('\n');
}

function andMore({ length }: readonly unknown[], { messages, paint }: Printer): readonly string[] {
  return length > MOST_SHOWN ? [paint('dim', `    ${messages.more(length - MOST_SHOWN)}`)] : [];
}

function describe(mismatch: Mismatch, all: readonly Mismatch[], printer: Printer): readonly string[] {
  const { messages, paint } = printer;
  // Aligns the text behind the labels.
  const width = Math.max(...[messages.missing, messages.unexpected, messages.different].map((word) => word.length));
  const head = (): string => `    ${paint('red', messages[mismatch.kind])}${' '.repeat(width - messages[mismatch.kind].length + 1)}`;
  switch (mismatch.kind) {
    case 'missing': {
      const { expected } = mismatch;
      const where = paint('dim', messages.line(expected.line));
      return [`${head()}${title(expected, messages)} ${where}`, ...body(expected.with, messages), ...elsewhere(expected, all, printer)];
    }
    case 'unexpected': {
      const { sent } = mismatch;
      return [head() + title({ ...sent, as: [sent.account] }, messages), ...body(sent.params, messages)];
    }
    case 'different': {
      const { expected, sent } = mismatch;
      return [
        `${head()}${title({ ...sent, as: [sent.account] }, messages)} ${paint('dim', messages.line(expected.line))}`,
        ...mismatch.differences.flatMap(({ path, expected: wanted, actual }) => [
          `      ${visible(path)}`,
          ...labelled(messages.expected, wanted, { messages, paint: (text) => paint('green', text) }),
          ...labelled(messages.sent, actual, { messages, paint: (text) => paint('red', text) }),
        ]),
      ];
    }
  }
}

function title({ atMs, do: verb, as }: Pick<Expectation, 'atMs' | 'do' | 'as'>, messages: CaseMessages): string {
  return visible(`${formatOffset(atMs)} ${verb}${as.length > 0 ? ` ${messages.as(as.join(', '))}` : ''}`);
}

/** The times of the step, if it was sent at another time. */
function elsewhere(expected: Expectation, all: readonly Mismatch[], { messages, paint }: Printer): readonly string[] {
  const times = all.flatMap((one) => {
    if (one.kind !== 'unexpected' || one.sent.do !== expected.do) return [];
    const { account, params, atMs } = one.sent;
    const isSame = (expected.as.length === 0 || expected.as.includes(account)) && differences(expected.with, params).length === 0;
    return isSame ? [atMs] : [];
  });
  return times.length > 0 ? [paint('dim', `      ${messages.doneAt([...new Set(times)].map(formatOffset).join(', '))}`)] : [];
}

function body(params: JsonObject, messages: CaseMessages): readonly string[] {
  return Object.entries(params).flatMap(([name, value]) => {
    const [first = '', ...more] = show(value, messages);
    return [`      ${visible(name)}: ${first}`, ...more.map((line) => `        ${line}`)];
  });
}

function labelled(
  label: string,
  value: Json | undefined,
  { messages, paint }: { readonly messages: CaseMessages; readonly paint: (text: string) => string },
): readonly string[] {
  const [first = '', ...more] = show(value, messages);
  const width = Math.max(messages.expected.length, messages.sent.length);
  return [`        ${label.padEnd(width)} ${paint(first)}`, ...more.map((line) => `        ${' '.repeat(width)} ${paint(line)}`)];
}

/** Formats a value in one line, and a text of several lines as a block. */
function show(value: Json | undefined, { nothing }: CaseMessages): readonly string[] {
  if (value === undefined) return [nothing];
  if (typeof value !== 'string' || !value.includes('\n')) return [visible(JSON.stringify(value))];
  return value.split('\n').map((line) => `│ ${visible(line)}`);
}

/** The decisions of the rule: all, or, if there are many, those at or before each difference. */
function history({ mismatches, instants }: CaseResult, printer: Printer): readonly string[] {
  const describeEach = (instant: Instant): readonly string[] => describeInstant(instant, printer.messages);
  const all = instants.flatMap(describeEach);
  if (mismatches.length > 0 && all.length <= MOST_SHOWN) return historyLines(all, printer);
  const wrong = new Set(mismatches.slice(0, MOST_SHOWN).map((one) => ('sent' in one ? one.sent.atMs : one.expected.atMs)));
  const shown = new Set([...wrong].flatMap((atMs) => instants.findLast((instant) => instant.atMs <= atMs) ?? []));
  return historyLines(instants.filter((instant) => shown.has(instant)).flatMap(describeEach), printer);
}

function historyLines(lines: readonly string[], { messages, paint }: Printer): readonly string[] {
  return lines.length > 0 ? [`    ${messages.decisions}`, ...lines.map((line) => paint('dim', `      ${visible(line)}`))] : [];
}

function describeInstant({ atMs, decisions, undone, notASlot }: Instant, messages: CaseMessages): readonly string[] {
  const { nextMs } = notASlot ?? {};
  return [
    ...(notASlot ? [`${formatOffset(atMs)} ${messages.notASlot(nextMs === undefined ? undefined : formatOffset(nextMs))}`] : []),
    ...decisions.map((decision) => `${formatOffset(atMs)} ${messages.decided(decision)}`),
    ...undone.map((one) => `${formatOffset(atMs)} ${messages.undone(one)}`),
  ];
}

/** The messages of a case report. */
export interface CaseMessages {
  readonly missing: string;
  readonly unexpected: string;
  readonly different: string;
  /** The labels of both sides of a difference. */
  readonly expected: string;
  readonly sent: string;
  /** The label of a missing value. */
  readonly nothing: string;
  /** The title of the decisions. */
  readonly decisions: string;
  readonly line: (line: number) => string;
  readonly more: (count: number) => string;
  readonly as: (accounts: string) => string;
  readonly doneAt: (times: string) => string;
  /** `next`: the time of the next slot after the start; undefined without one. */
  readonly notASlot: (next: string | undefined) => string;
  readonly decided: (decision: Pick<Decision, 'outcome' | 'message' | 'reason'>) => string;
  readonly undone: (undone: Pick<Undone, 'planned' | 'message' | 'reason'>) => string;
}

/** English. */
const ENGLISH: CaseMessages = {
  missing: 'missing',
  unexpected: 'unexpected',
  different: 'different',
  expected: 'expected',
  sent: 'sent',
  nothing: 'nothing',
  decisions: 'decisions:',
  line: (line) => `line ${line}`,
  more: (count) => `and ${count} more`,
  as: (accounts) => `as ${accounts}`,
  doneAt: (times) => `sent at ${times}`,
  notASlot: (next) => `the rule does not run at this time: ${next === undefined ? 'no slot follows' : `its next slot is at ${next}`}`,
  decided: ({ outcome, message }) => `${outcome}: ${message}`,
  undone: ({ planned: { step, account }, message }) => `${step.do} as ${account} not sent: ${message}`,
};
