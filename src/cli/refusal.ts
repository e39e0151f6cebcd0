/** A command that did nothing, although it was called correctly. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** The reason, for programs. It never changes. */
  readonly code: string;
  /** What to do. */
  readonly hint: string | undefined;

  constructor(message: string, { code, hint }: { readonly code: string; readonly hint?: string | undefined }) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
