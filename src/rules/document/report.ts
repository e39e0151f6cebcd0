import { greatest } from '#src/clients/operation/text/greatest.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';

/** A path in a rule file: keys and indexes, for example `['then', 0, 'with']`. */
export type Path = readonly (string | number)[];

/** The location of a diagnostic. */
export interface Location {
  readonly path: Path;
  /** In the file, from 0. */
  readonly offset: number;
}

/** The report keeps no more errors, and no more warnings. */
const MOST_DIAGNOSTICS = 100;

/** A local file that a rule names. */
export interface NamedFile {
  readonly path: string;
  /** The location of the name in the rule file. */
  readonly at: Pick<Diagnostic, 'file' | 'line' | 'column' | 'path' | 'excerpt'>;
}

/** Collects the diagnostics of one file and the local files that it names. */
export class Report {
  readonly #file: string;
  readonly #source: string;
  readonly #diagnostics = new Map<string, Diagnostic>();
  readonly #files = new Map<string, NamedFile>();
  readonly #counts = { error: 0, warning: 0 };
  readonly #ignoredLines = new Set<number>();
  #ignoredFrom = Infinity;
  #lineStarts: readonly number[] | undefined;

  constructor(file: string, source: string) {
    this.#file = file;
    this.#source = source;
  }

  error(location: Location, code: string, message: string, hint?: string): void {
    this.#add({ severity: 'error', code, message, hint }, location);
  }

  warning(location: Location, code: string, message: string, hint?: string): void {
    this.#add({ severity: 'warning', code, message, hint }, location);
  }

  /** Notes a local file that the rule names. The report does not look for the file. */
  addFile(path: string, location: Location): void {
    const at = this.#locate(location);
    this.#files.set(`${at.line}:${at.column}`, { path, at });
  }

  /** Reports an unreadable line once and ignores later diagnostics of that line, which would only confuse. */
  unreadableLine(offset: number, code: string, message: string, hint?: string): void {
    if (this.#ignoredLines.has(this.#lineOf(offset))) return;
    this.error({ path: [], offset }, code, message, hint);
    this.ignoreLine(offset);
  }

  /** Ignores later diagnostics of this line. */
  ignoreLine(offset: number): void {
    this.#ignoredLines.add(this.#lineOf(offset));
  }

  /** Ignores later diagnostics from this line on. */
  ignoreFrom(offset: number): void {
    this.#ignoredFrom = Math.min(this.#ignoredFrom, this.#lineOf(offset));
  }

  /** Whether the file has unreadable lines, so that a key may only seem to be missing. */
  get hasUnreadableLines(): boolean {
    return this.#ignoredLines.size > 0;
  }

  /** Whether the report takes no further error. */
  get isFull(): boolean {
    return this.#counts.error >= MOST_DIAGNOSTICS;
  }

  get hasErrors(): boolean {
    return this.#counts.error > 0;
  }

  /** Whether a value at this path, or in it, has an error. */
  hasErrorIn(path: Path): boolean {
    const above = formatPath(path);
    const isIn = (one: string): boolean => one === above || one.startsWith(`${above}.`) || one.startsWith(`${above}[`);
    return this.hasErrors && [...this.#diagnostics.values()].some((one) => one.severity === 'error' && isIn(one.path));
  }

  /** The line of a location, from 1. */
  lineAt({ offset }: Location): number {
    return this.#lineOf(offset);
  }

  /** The line and the column of a location, from 1. */
  positionOf({ offset }: Location): { readonly line: number; readonly column: number } {
    return { line: this.#lineOf(offset), column: offset - lineStartOf(this.#source, offset) + 1 };
  }

  /** In the order of the file. */
  get diagnostics(): readonly Diagnostic[] {
    return [...this.#diagnostics.values()].toSorted((a, b) => a.line - b.line || a.column - b.column);
  }

  get files(): readonly NamedFile[] {
    return [...this.#files.values()];
  }

  #add(diagnostic: Pick<Diagnostic, 'severity' | 'code' | 'message' | 'hint'>, location: Location): void {
    const { severity, message } = diagnostic;
    if (this.#counts[severity] >= MOST_DIAGNOSTICS) return;
    const line = this.#lineOf(location.offset);
    if (this.#ignoredLines.has(line) || line >= this.#ignoredFrom) return;
    const at = this.#locate(location);
    const key = `${line}:${at.column} ${message}`;
    if (this.#diagnostics.has(key)) return;
    this.#counts[severity]++;
    this.#diagnostics.set(key, { ...diagnostic, ...at });
  }

  #locate({ path, offset }: Location): NamedFile['at'] {
    const lineStart = lineStartOf(this.#source, offset);
    const lineEnd = this.#source.indexOf('\n', offset);
    const excerpt = this.#source.slice(lineStart, lineEnd === -1 ? undefined : lineEnd).replace(/\r$/u, '');
    return { file: this.#file, ...this.positionOf({ path, offset }), path: formatPath(path), excerpt };
  }

  #lineOf(offset: number): number {
    // A list can have thousands of errors, and each one asks for its line.
    const starts = (this.#lineStarts ??= lineStartsOf(this.#source));
    return greatest(1, starts.length, (line) => (starts[line - 1] ?? 0) <= offset);
  }
}

function lineStartsOf(source: string): readonly number[] {
  const starts = [0];
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The offset of the first character of a line. */
export function lineStartOf(source: string, at: number): number {
  return at === 0 ? 0 : source.lastIndexOf('\n', at - 1) + 1;
}

/** Formats a path as `then[0].with.text`. */
export function formatPath(path: Path): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./u, '');
}
