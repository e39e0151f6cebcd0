/** One place on the screen for each character, and nothing that a terminal would obey. */
export function visible(text: string): string {
  return text.replace(/\t/gu, ' ').replace(/\p{Cc}/gu, '\uFFFD');
}
