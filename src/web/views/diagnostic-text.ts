/** The message of a diagnostic and its remedy, in one line. Both are plain text without a stop at their end. */
export function diagnosticText({ message, hint }: { readonly message: string; readonly hint?: string | undefined }): string {
  return hint === undefined ? message : `${message} (${hint})`;
}
