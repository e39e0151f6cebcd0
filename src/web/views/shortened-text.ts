/** The beginning of a text that is longer than a number of characters. No character is cut in two. */
export function shortenedText(text: string, mostCharacters: number): string {
  const characters = Array.from(text);
  return characters.length > mostCharacters ? `${characters.slice(0, mostCharacters).join('')}…` : text;
}
