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

/** Collects what is wrong with one file. */
export class Report {
  readonly #file: string;
  readonly #source: string;
  readonly #problems = new Map<string, Problem>();
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

  #add(severity: Problem['severity'], { path, offset }: Spot, message: string, hint: string | undefined): void {
    if (this.#count(severity) >= MOST_PROBLEMS) return;
    const line = this.#lineOf(offset);
    if (this.#unreadable.has(line) || line >= this.#unreadableFrom) return;
    const lineStart = offset === 0 ? 0 : this.#source.lastIndexOf('\n', offset - 1) + 1;
    const lineEnd = this.#source.indexOf('\n', offset);
    const column = offset - lineStart + 1;
    const excerpt = this.#source.slice(lineStart, lineEnd === -1 ? undefined : lineEnd).replace(/\r$/u, '');
    const key = `${line}:${column} ${message}`;
    if (this.#problems.has(key)) return;
    this.#counts.set(severity, this.#count(severity) + 1);
    this.#problems.set(key, { severity, file: this.#file, line, column, path: pathText(path), message, hint, excerpt });
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
