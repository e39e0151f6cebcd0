import { parseDuration } from '#src/clients/operation/duration.ts';
import type { Json } from '#src/clients/operation/json.ts';
import { reportIssue } from '#src/rules/check/check-structure.ts';
import { valueAt } from '#src/rules/check/json-path.ts';
import { issuesOf, type Issue } from '#src/rules/check/schema-issues.ts';
import { plainValue, TooLarge } from '#src/rules/document/plain-value.ts';
import { readDocument } from '#src/rules/document/read-document.ts';
import { Report, type Path } from '#src/rules/document/report.ts';
import type { RuleDocument } from '#src/rules/document/rule-document.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import { shapeOf } from '#src/rules/shape/shape.ts';
import type { RuleTests } from './rule-tests.ts';
import { TestFile } from './test-file.ts';

export interface ReadTests {
  /** Undefined if the file has an error. */
  readonly tests?: RuleTests | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export interface ReadTestsOptions {
  readonly file: string;
  readonly source: string;
  /** The id of the rule beside the test file. Tests of another rule are an error. */
  readonly beside?: string | undefined;
}

/** Room for a day of polls at every minute. */
const SIZE = { what: 'a test file', mostCharacters: 262_144 };
const MOST_NODES = 50_000;

/** Reads a test file and all its diagnostics. */
export function readRuleTests({ file, source: text, beside }: ReadTestsOptions): ReadTests {
  const source = text.replace(/^\uFEFF/u, '');
  const report = new Report(file, source);
  const document = readDocument(source, report, SIZE);
  const tests = document && !report.hasErrors ? parse(document, { file, source, report }) : undefined;
  if (!document || !tests || beside === undefined || tests.rule === beside) return { tests, diagnostics: report.diagnostics };

  const message = `this file tests ${tests.rule}, but the rule beside it is ${beside}`;
  report.error(document.keyLocation([], 'rule'), 'other-rule', message, `write rule: ${beside}, or put the file beside ${tests.rule}`);
  return { diagnostics: report.diagnostics };
}

function parse(
  document: RuleDocument,
  { file, source, report }: { readonly file: string; readonly source: string; readonly report: Report },
): RuleTests | undefined {
  const value = valueOf(document, report);
  const parsed = TestFile.safeParse(value);
  if (!parsed.success) {
    for (const issue of issuesOf(TestFile, value)) {
      if (report.isFull) break;
      reportIssue({ ...issue, hint: hintFor(issue, value) ?? issue.hint }, [], { document, report });
    }
    return undefined;
  }
  const lines = lineStarts(source);
  const lineAt = (path: Path): number => lineOf(lines, document.locationOf(path).offset);
  const { rule, start, each, lists, cases } = parsed.data;
  return {
    file,
    rule,
    startMs: Date.parse(start),
    cases: cases.map(({ it, each: its, lists: listsOfCase = lists, keep, kept, polls, expect = [] }, i) => ({
      it,
      line: lineAt(['cases', i]),
      each: Object.fromEntries(Object.entries({ ...each, ...its }).map(([name, value]) => [name, String(value)])),
      lists: listsOfCase,
      keep,
      kept,
      polls: polls.map(({ at, items, error, command, webhook, lists: listsOfPoll, restart = false, answers = {}, fail = [] }, k) => {
        return {
          atMs: msOf(at),
          line: lineAt(['cases', i, 'polls', k]),
          items,
          error,
          command,
          webhook,
          lists: listsOfPoll,
          restart,
          answers,
          fail,
        };
      }),
      expect: expect.map(({ at, do: verb, as = [], with: parameters = {} }, k) => {
        return { atMs: msOf(at), line: lineAt(['cases', i, 'expect', k]), do: verb, as: [as].flat(), with: parameters };
      }),
    })),
  };
}

/** The hint for an item without its key, and for a parameter beside `with`; undefined: there is no other hint. */
function hintFor({ path, kind, suggestion }: Issue, file: Json | undefined): string | undefined {
  const place = path.map((part) => (typeof part === 'number' ? '#' : part)).join('.');
  const value = valueAt(file, path);
  const name = typeof value === 'string' ? value : 'ada';
  if (place === 'cases.#.polls.#.items.#') return `write { key: ${name} }, with the fields of the item behind the key`;
  if (place === 'cases.#.polls.#.items') return `write [{ key: ${name} }], or [] for no items`;
  if (place === 'cases.#.expect') return 'write a list of the expected steps, or [] for none';
  return kind === 'unknown-key' && suggestion === undefined && place.startsWith('cases.#.expect.#.') && path.length === 5
    ? `write it in with: { ${path.at(-1)}: … }`
    : undefined;
}

/** Parses a checked duration. */
function msOf(text: string): number {
  return parseDuration(text) ?? 0;
}

function valueOf(document: RuleDocument, report: Report): Json | undefined {
  try {
    return plainValue(document, [], shapeOf(TestFile), MOST_NODES);
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    report.error({ path: [], offset: 0 }, 'too-large', 'the file is too large when its aliases are expanded');
    return undefined;
  }
}

/** The offsets of all lines. */
function lineStarts(source: string): readonly number[] {
  const starts = [0];
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The line of an offset, from 1. */
function lineOf(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}
