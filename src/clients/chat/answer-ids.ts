/** The position of the button for a free text. */
export const FREE_TEXT = 'own';

/** The longest key that fits into a custom id. */
export const LONGEST_KEY = 80;

const ID = /^answer:(.{1,80}):(\d|own)$/s;

/** The custom id of the button that answers a question. */
export function answerButtonId(key: string, place: number | typeof FREE_TEXT): string {
  return `answer:${key}:${place}`;
}

/** The question and the choice of a custom id; undefined for another button. */
export function parseAnswerButtonId(id: string): { readonly key: string; readonly place: number | typeof FREE_TEXT } | undefined {
  const [, key, place] = ID.exec(id) ?? [];
  if (key === undefined || place === undefined) return undefined;
  return { key, place: place === FREE_TEXT ? FREE_TEXT : Number(place) };
}
