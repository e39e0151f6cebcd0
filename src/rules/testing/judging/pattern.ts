/** Whether a text in an expectation is a regular expression: one between slashes. */
export function isPattern(text: string): boolean {
  return text.length > 1 && text.startsWith('/') && text.endsWith('/');
}

/** The expression between the slashes; undefined where it is none. */
export function toPattern(text: string): RegExp | undefined {
  try {
    return new RegExp(text.slice(1, -1), 'u');
  } catch {
    return undefined;
  }
}
