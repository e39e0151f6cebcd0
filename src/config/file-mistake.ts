/** Something in `fanfare.yaml` that has the right form and cannot be, beside the environment or the rest of the file. */
export interface FileMistake {
  /** Where it stands, as `['defaults', 'social', 0]`. */
  readonly path: readonly (string | number)[];
  /** Whether the key is meant, and not its value. */
  readonly isKey?: boolean | undefined;
  readonly message: string;
  readonly hint?: string | undefined;
  /** A name that is not known, and those of which one was meant. */
  readonly unknown?: { readonly name: string; readonly known: readonly string[] } | undefined;
}
