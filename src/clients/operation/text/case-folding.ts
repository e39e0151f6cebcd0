/** With the flags `iu`, a pattern for `s` and `k` also matches these letters. No platform reads them so. */
const FOLDED_LETTERS = /[\u017F\u212A]/gu;

/** Replaces the letters that `/[a-z]/iu` matches outside of ASCII with a letter of the same length that it does not match. */
export function withoutFoldedLetters(text: string): string {
  return text.replace(FOLDED_LETTERS, 'ß');
}
