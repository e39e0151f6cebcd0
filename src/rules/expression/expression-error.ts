/** An error in an expression. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  /** The offset in the expression, from 0. */
  readonly at: number;
  readonly hint: string | undefined;

  constructor(message: string, { at, hint }: { readonly at: number; readonly hint?: string | undefined }) {
    super(message);
    this.at = at;
    this.hint = hint;
  }
}
