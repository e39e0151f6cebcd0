export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  /** The offset in the expression, from 0. */
  readonly at: number;
  readonly hint: string | undefined;
  /** The record that lacks a field, as written; undefined for other errors. */
  readonly record: string | undefined;

  constructor(
    message: string,
    { at, hint, record }: { readonly at: number; readonly hint?: string | undefined; readonly record?: string | undefined },
  ) {
    super(message);
    this.at = at;
    this.hint = hint;
    this.record = record;
  }
}
