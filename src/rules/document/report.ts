import type { Problem } from '../problem.ts';

/** Where something stands in a rule: keys and places in lists, as `['then', 0, 'with']`. */
export type Path = readonly (string | number)[];

/** Where a problem is shown. */
export interface Spot {
  readonly path: Path;
  /** From 0, in the file. */
  readonly offset: number;
}

/** More errors, or more warnings, nobody reads. */
const MOST_PROBLEMS = 100;

/** A file of this machine that a rule names. */
export interface NamedFile {
  readonly path: string;
  /** Where it does so. */
  readonly at: Omit<Problem, 'severity' | 'message' | 'hint'>;
}

/** Collects what is wrong with one file, and what else of this machine it needs. */
export class Report {
  readonly #file: string;
  readonly #source: string;
  readonly #problems = new Map<string, Problem>();
  readonly #files = new Map<string, NamedFile>();
  readonly #counts = new Map<Problem['severity'], number>();
  readonly #unreadable = new Set<number>();
  #unreadableFrom = Infinity;

  constructor(file: string, source: string) {
    this.#file = file;
    this.#source = source;
  }

  error(spot: Spot, message: string, hint?: string): void {
    this.#add('error', spot, message, hint);
  }

  warning(spot: Spot, message: string, hint?: string): void {
    this.#add('warning', spot, message, hint);
  }

  /** Notes that a file of this machine is named: nobody has looked whether it is there. */
  names(path: string, spot: Spot): void {
    const at = this.#place(spot);
    this.#files.set(`${at.line}:${at.column}`, { path, at });
  }

  /** Says what is wrong with a line that cannot be read; whatever else is said of that line would only confuse. */
  unreadable(offset: number, message: string, hint?: string): void {
    const line = this.#lineOf(offset);
    if (this.#unreadable.has(line)) return;
    this.error({ path: [], offset }, message, hint);
    this.#unreadable.add(line);
  }

  /** Says nothing more of this line: what is wrong with it was said elsewhere. */
  saidOf(offset: number): void {
    this.#unreadable.add(this.#lineOf(offset));
  }

  /** Says nothing more of this place and what comes after it. */
  giveUpAt(offset: number): void {
    this.#unreadableFrom = Math.min(this.#unreadableFrom, this.#lineOf(offset));
  }

  /** Whether lines could not be read, so that nobody knows what is missing. */
  get hasGaps(): boolean {
    return this.#unreadable.size > 0;
  }

  /** Whether so much is wrong that nothing more is said. */
  get isFull(): boolean {
    return this.#count('error') >= MOST_PROBLEMS;
  }

  /** Whether anything found so far keeps the rule from running. */
  get hasErrors(): boolean {
    return this.#count('error') > 0;
  }

  /** What was found, in the order of the file. */
  get problems(): readonly Problem[] {
    return [...this.#problems.values()].toSorted((a, b) => a.line - b.line || a.column - b.column);
  }

  get files(): readonly NamedFile[] {
    return [...this.#files.values()];
  }

  #add(severity: Problem['severity'], spot: Spot, message: string, hint: string | undefined): void {
    if (this.#count(severity) >= MOST_PROBLEMS) return;
    const line = this.#lineOf(spot.offset);
    if (this.#unreadable.has(line) || line >= this.#unreadableFrom) return;
    const at = this.#place(spot);
    const key = `${line}:${at.column} ${message}`;
    if (this.#problems.has(key)) return;
    this.#counts.set(severity, this.#count(severity) + 1);
    this.#problems.set(key, { severity, ...at, message, hint });
  }

  #place({ path, offset }: Spot): NamedFile['at'] {
    const lineStart = offset === 0 ? 0 : this.#source.lastIndexOf('\n', offset - 1) + 1;
    const lineEnd = this.#source.indexOf('\n', offset);
    const excerpt = this.#source.slice(lineStart, lineEnd === -1 ? undefined : lineEnd).replace(/\r$/u, '');
    return { file: this.#file, line: this.#lineOf(offset), column: offset - lineStart + 1, path: pathText(path), excerpt };
  }

  #count(severity: Problem['severity']): number {
    return this.#counts.get(severity) ?? 0;
  }

  #lineOf(offset: number): number {
    return this.#source.slice(0, offset).split('\n').length;
  }
}

/** The path as one reads it: `then[0].with.text`. */
export function pathText(path: Path): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./u, '');
}
