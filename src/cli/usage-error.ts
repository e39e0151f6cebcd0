/** A mistake in the arguments of a command. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** The option or argument, for example `--since`. */
  readonly argument: string | undefined;
  readonly hint: string | undefined;

  constructor(message: string, { argument, hint }: { readonly argument?: string | undefined; readonly hint?: string | undefined } = {}) {
    super(message);
    this.argument = argument;
    this.hint = hint;
  }
}
