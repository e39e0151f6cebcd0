/** What is wrong with an expression, and where in it. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  /** From 0, in the expression. */
  readonly at: number;
  readonly hint: string | undefined;

  constructor(message: string, { at, hint }: { readonly at: number; readonly hint?: string | undefined }) {
    super(message);
    this.at = at;
    this.hint = hint;
  }
}
