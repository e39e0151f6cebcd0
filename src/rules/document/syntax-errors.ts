import { isScalar, type Document, type Scalar, type YAMLError } from 'yaml';
import { misplacedLine, type Misplaced } from './indentation.ts';
import { misreadValue, quoted, valueLine } from './misread-value.ts';
import { markdownFence, missingColon, missingSpace, unindentedText, wrongSpace } from './spacing.ts';
import { lineStartOf, type Report } from './report.ts';
import { walkNodes } from './rule-document.ts';

interface SyntaxContext {
  readonly yaml: Document.Parsed;
  readonly source: string;
  readonly report: Report;
}

/** An error of the YAML parser, and the offset that shows it best. */
interface PlacedError {
  readonly error: YAMLError;
  readonly at: number;
  readonly misplaced: Misplaced | undefined;
}

/** Reports the errors of the YAML parser, one a line, without those that follow from another error. */
export function reportSyntaxErrors(errors: readonly YAMLError[], context: SyntaxContext): void {
  reportCopied(context);
  const placed = placeErrors(errors, context);
  for (const one of placed) {
    if (reportSpacing(one, context)) continue;
    reportError(one, context);
    // The parser took the rest of the file for a part of it.
    if (isUnclosed(one.error) || isLeftOver(one.error) || isBehindDash(one, context.source)) context.report.ignoreFrom(one.at);
  }
  for (const { error, at } of placed) if (!isLocal(error)) context.report.ignoreFrom(at);
}

/** Reports what a rule has from a web page or a chat, and what the parser reads as a part of the rule. */
function reportCopied({ yaml, source, report }: SyntaxContext): void {
  const space = wrongSpace(source, () => textsIn(yaml, ['BLOCK_FOLDED', 'BLOCK_LITERAL', 'QUOTE_DOUBLE', 'QUOTE_SINGLE']));
  if (space) {
    report.unreadableLine(space.offset, 'indentation', space.message, space.hint);
    // The space hides the value of the key above it.
    report.ignoreLine(source.slice(0, space.offset).trimEnd().length);
    report.ignoreFrom(space.offset);
  }
  const fence = markdownFence(source);
  if (!fence) return;
  report.unreadableLine(fence.offset, 'markdown', fence.message, fence.hint);
  report.ignoreFrom(fence.offset);
}

/** Reports a missing space or colon, or a text without indentation, which the parser reads as something else; false: it is another error. */
function reportSpacing({ error, at, misplaced }: PlacedError, { source, report }: SyntaxContext): boolean {
  if (isUnclosed(error) || isUnquoted(error)) return false;
  const offset = misplaced?.offset ?? at;
  const text = unindentedText(source, offset);
  const colon = MISSING_COLON.has(error.code) ? missingColon(source, error.pos[0]) : undefined;
  const found = text ?? missingSpace(source, offset) ?? colon;
  if (!found) return false;
  const code = text ? 'indentation' : found === colon ? 'missing-colon' : 'missing-space';
  report.unreadableLine(found.offset, code, found.message, found.hint);
  if (misplaced) report.ignoreLine(misplaced.at);
  // The parser reads the lines below a key without a colon as parts of it.
  if (text || (found === colon && isBareKey(found, source))) report.ignoreFrom(found.offset);
  return true;
}

function isBareKey({ offset }: { readonly offset: number }, source: string): boolean {
  return /^[\w-]+[ \t]*\r?\n/u.test(source.slice(offset));
}

function reportError({ error, at, misplaced }: PlacedError, { source, report }: SyntaxContext): void {
  if (misplaced) {
    report.unreadableLine(misplaced.offset, 'indentation', 'wrong indentation', misplaced.hint);
    return report.ignoreLine(misplaced.at);
  }
  if (isUnclosed(error)) {
    const comment = hidingComment(source, { from: at, to: error.pos[0] });
    return report.unreadableLine(comment?.offset ?? at, 'unclosed', comment?.message ?? syntaxMessage(error, source), comment?.hint);
  }
  const misread = isLocal(error) || isBetweenElements(error) ? misreadValue(source, at) : undefined;
  if (misread) return report.unreadableLine(misread.offset, 'misread-text', misread.message, misread.hint);
  report.unreadableLine(at, 'syntax', syntaxMessage(error, source), syntaxHint(error, source));
  // The tab hides the value of the key above it.
  if (error.code === 'TAB_AS_INDENT') report.ignoreLine(source.slice(0, at).trimEnd().length);
}

/** The errors by line. An unclosed list or map is shown where it opens. */
function placeErrors(errors: readonly YAMLError[], { yaml, source }: SyntaxContext): readonly PlacedError[] {
  const flows = errors.some(isUnclosed) ? flowsIn(yaml) : [];
  const quotes = errors.some(isUnquoted) ? textsIn(yaml, ['QUOTE_DOUBLE', 'QUOTE_SINGLE']) : [];
  const placed = errors.map((error): PlacedError => {
    const [end] = error.pos;
    const opening = isUnclosed(error)
      ? flows.findLast(([from, to]) => from < end && to >= end)?.[0]
      : isUnquoted(error)
        ? quotes.findLast(([from, to]) => from < end && to >= end)?.[0]
        : undefined;
    const misplaced = isUnclosed(error) ? undefined : misplacedLine(error, source);
    return { error, misplaced, at: misplaced?.offset ?? opening ?? Math.min(end, source.length) };
  });
  const startOf = ({ at, misplaced }: PlacedError): number => lineStartOf(source, misplaced?.at ?? at);
  return placed.toSorted((a, b) => startOf(a) - startOf(b));
}

/** The ranges of texts that are written in one of these ways. */
function textsIn(yaml: Document.Parsed, types: readonly Scalar.Type[]): readonly (readonly [from: number, to: number])[] {
  const texts: (readonly [number, number])[] = [];
  walkNodes(yaml.contents, (node) => {
    if (isScalar(node) && node.range && types.some((type) => type === node.type)) texts.push([node.range[0], node.range[2]]);
    return 'in';
  });
  return texts;
}

/** The ranges of lists and maps in [ ] and { }, outer ones first. */
function flowsIn(yaml: Document.Parsed): readonly (readonly [from: number, to: number])[] {
  const flows: (readonly [number, number])[] = [];
  walkNodes(yaml.contents, (node) => {
    if ('flow' in node && node.flow && node.range) flows.push([node.range[0], node.range[2]]);
    return 'in';
  });
  return flows;
}

type Code = YAMLError['code'];

const MESSAGES: Readonly<Partial<Record<Code, string>>> = {
  BAD_ALIAS: 'an alias needs a name',
  BAD_INDENT: 'wrong indentation',
  BLOCK_AS_IMPLICIT_KEY: 'YAML reads text that contains ": " as a key and its value',
  BLOCK_IN_FLOW: 'a list or a map over several lines is not allowed in [ ] or { }',
  MULTILINE_IMPLICIT_KEY: 'a key must be on one line',
  MULTIPLE_DOCS: 'a file can contain only one rule, and --- starts another',
  RESOURCE_EXHAUSTION: 'lists and maps are nested too deeply',
  TAB_AS_INDENT: 'the line is indented with a tab',
};

/** The errors of a key without a colon. */
const MISSING_COLON: ReadonlySet<Code> = new Set<Code>(['MULTILINE_IMPLICIT_KEY', 'MISSING_CHAR']);

/** Errors within one line: the parser still reads the other lines correctly. */
const LOCAL: ReadonlySet<Code> = new Set<Code>([
  'BAD_SCALAR_START',
  'BLOCK_AS_IMPLICIT_KEY',
  'BAD_DQ_ESCAPE',
  'TAG_RESOLVE_FAILED',
  'UNEXPECTED_TOKEN',
]);

const CURED_BY_QUOTES: ReadonlySet<Code> = new Set<Code>([
  'BAD_ALIAS',
  'BAD_SCALAR_START',
  'BLOCK_AS_IMPLICIT_KEY',
  'MULTILINE_IMPLICIT_KEY',
  'TAG_RESOLVE_FAILED',
  'UNEXPECTED_TOKEN',
]);

function syntaxMessage(error: YAMLError, source: string): string {
  const { code, message } = error;
  if (isBareExpression(error, source)) return 'an expression in { } or [ ] needs quotes';
  if (message.startsWith('Flow sequence')) return 'the list is not closed: ] is missing';
  if (message.startsWith('Flow map')) return 'the map is not closed: } is missing';
  if (isUnquoted(error)) return 'the quotes are not closed';
  const summary = message.replace(/\.$/u, '').replace(/^./u, (first) => first.toLowerCase());
  return MESSAGES[code] ?? `invalid YAML: ${summary}`;
}

function isLocal(error: YAMLError): boolean {
  return LOCAL.has(error.code) && !isLeftOver(error);
}

/** Whether a list in [ ] has more text behind an element. */
function isBetweenElements({ code, message }: YAMLError): boolean {
  return code === 'MISSING_CHAR' && message.includes('between flow sequence');
}

/** Whether the parser stopped before this token, which may be correct. */
function isLeftOver({ message }: YAMLError): boolean {
  return message.includes(' in YAML stream');
}

/** Whether a tab follows the dash of an element, so that the parser reads the keys of the element as keys of another map. */
function isBehindDash({ error, at }: PlacedError, source: string): boolean {
  return error.code === 'TAB_AS_INDENT' && /^ *(?:- *)+$/u.test(source.slice(lineStartOf(source, at), at));
}

/** Whether a list or a map in [ ] or { } is not closed. */
function isUnclosed({ message }: YAMLError): boolean {
  return message.startsWith('Flow');
}

/** Whether a quoted text is not closed. */
function isUnquoted({ message }: YAMLError): boolean {
  return message.startsWith('Missing closing');
}

function syntaxHint(error: YAMLError, source: string): string | undefined {
  const { code, pos } = error;
  if (code === 'BAD_DQ_ESCAPE') return 'in double quotes, write \\\\ for a backslash; in single quotes, write \\';
  if (isUnquoted(error)) return 'add the closing quote';
  if (code === 'TAB_AS_INDENT') return 'use spaces';
  if (code === 'BAD_INDENT') return 'start this line with as many spaces as the other keys of its map, or the other elements of its list';
  if (code === 'MULTIPLE_DOCS') return 'write each rule in a separate file';
  if (!CURED_BY_QUOTES.has(code)) return undefined;
  if (isBareExpression(error, source)) return 'write "${{ … }}"';
  const line = valueLine(source, pos[0]);
  const isWhole = line !== undefined && !/^[{[|>]/u.test(line.value);
  return isWhole ? `put quotes around the value: ${line.key}: ${quoted(line.value)}` : 'put quotes around the text';
}

/** Whether YAML takes the braces of an expression for a map. */
function isBareExpression({ pos: [at] }: YAMLError, source: string): boolean {
  return source.startsWith('${{', at - 1);
}

/** A comment that hides the end of a list or a map. */
interface HidingComment {
  /** The offset of its #. */
  readonly offset: number;
  readonly message: string;
  readonly hint: string;
}

const QUOTED = /"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/gu;
const MOST_CHARACTERS = 2_000;

/** The comment that hides the end of the list or map at `from`; undefined if there is none before `to`. */
function hidingComment(source: string, { from, to }: { readonly from: number; readonly to: number }): HidingComment | undefined {
  let offset = from;
  for (const line of source.slice(from, Math.min(to, from + MOST_CHARACTERS)).split('\n')) {
    // A # in quotes begins no comment.
    const bare = line.replace(QUOTED, (text) => '"'.repeat(text.length));
    const at = bare.search(/\s#/u) + 1;
    const [bracket] = /[}\]]/u.exec(bare.slice(at)) ?? [];
    if (at > 0 && bracket !== undefined) {
      const [before = ''] = /[^,:{[]*$/u.exec(bare.slice(0, at)) ?? [];
      const [behind = ''] = bare.slice(at).split(/[,}\]]/u);
      const text = line.slice(at - before.length, at + behind.length).trim();
      return {
        offset: offset + at,
        message: `the comment hides the closing ${bracket}`,
        hint: `" #" starts a comment: put quotes around the text: "${text}"`,
      };
    }
    offset += line.length + 1;
  }
  return undefined;
}
