import type { Document, YAMLError } from 'yaml';
import { hidingComment } from './hiding-comment.ts';
import { misplacedLine, type Misplaced } from './indentation.ts';
import { misreadValue } from './misread-value.ts';
import type { Report } from './report.ts';
import { cureOf, isLeftOver, isLocal, isUnclosed, syntaxWords } from './syntax-words.ts';
import { walkNodes } from './walk-nodes.ts';

/** A file as its parser left it, and where what is wrong with it is said. */
interface Unread {
  readonly yaml: Document.Parsed;
  readonly source: string;
  readonly report: Report;
}

/** An error of the YAML parser, and where it is best shown. */
interface PlacedError {
  readonly error: YAMLError;
  readonly at: number;
  readonly misplaced: Misplaced | undefined;
}

/** Says what the parser could not read, one thing a line; what follows from another error is not said. */
export function sayUnreadable(errors: readonly YAMLError[], unread: Unread): void {
  const placed = placesOf(errors, unread);
  for (const one of placed) {
    say(one, unread);
    // All that comes after it was taken for a part of it.
    if (isUnclosed(one.error) || isLeftOver(one.error)) unread.report.giveUpAt(one.at);
  }
  for (const { error, at } of placed) if (!isLocal(error)) unread.report.giveUpAt(at);
}

function say({ error, at, misplaced }: PlacedError, { source, report }: Unread): void {
  if (misplaced) {
    report.unreadable(misplaced.offset, 'the line does not begin where it should', misplaced.hint);
    return report.saidOf(misplaced.at);
  }
  if (isUnclosed(error)) {
    const comment = hidingComment(source, { from: at, to: error.pos[0] });
    return report.unreadable(comment?.offset ?? at, comment?.message ?? syntaxWords(error, source), comment?.hint);
  }
  const misread = isLocal(error) ? misreadValue(source, at) : undefined;
  if (misread) return report.unreadable(misread.offset, misread.message, misread.hint);
  report.unreadable(at, syntaxWords(error, source), cureOf(error, source));
  // The key above seems to have no value: that is what the tab stands before.
  if (error.code === 'TAB_AS_INDENT') report.saidOf(source.slice(0, at).trimEnd().length);
}

/** The errors line by line where they are best shown: of a list or a map that is not closed, where it opens. */
function placesOf(errors: readonly YAMLError[], { yaml, source }: Unread): readonly PlacedError[] {
  const flows = errors.some(isUnclosed) ? flowsIn(yaml) : [];
  const placed = errors.map((error): PlacedError => {
    const [end] = error.pos;
    const opening = isUnclosed(error) ? flows.findLast(([from, to]) => from < end && to >= end)?.[0] : undefined;
    const misplaced = isUnclosed(error) ? undefined : misplacedLine(error, source);
    return { error, misplaced, at: misplaced?.offset ?? opening ?? Math.min(end, source.length) };
  });
  return placed.toSorted((a, b) => lineStart(a, source) - lineStart(b, source));
}

function lineStart({ at: shown, misplaced }: PlacedError, source: string): number {
  const at = misplaced?.at ?? shown;
  return at === 0 ? 0 : source.lastIndexOf('\n', at - 1);
}

/** Where lists and maps between [ ] and { } begin and end, outer ones first. */
function flowsIn(yaml: Document.Parsed): readonly (readonly [from: number, to: number])[] {
  const flows: (readonly [number, number])[] = [];
  walkNodes(yaml.contents, (node) => {
    if ('flow' in node && node.flow && node.range) flows.push([node.range[0], node.range[2]]);
    return 'in';
  });
  return flows;
}
