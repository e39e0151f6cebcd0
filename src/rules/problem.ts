/** Something in a rule file that its author should know. */
export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** Where in the document, as `then[0].with.text`. */
  readonly path: string;
  readonly message: string;
  /** What would cure it. */
  readonly hint?: string | undefined;
  /** The line as it is written. */
  readonly excerpt: string;
}
