const MOST_CHARS = 60;

/** The first line of a conversation's first question, as far as it fits. */
export function titleOf(question: string | undefined): string | undefined {
  const [line = ''] = question?.trim().split('\n') ?? [];
  if (line === '') return undefined;
  const characters = Array.from(line);
  return characters.length > MOST_CHARS ? `${characters.slice(0, MOST_CHARS - 1).join('')}…` : line;
}
