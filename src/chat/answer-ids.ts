/** Where an answer is given that is none of the choices. */
export const OWN_TEXT = 'own';

/** The longest key for which there is room in an id. */
export const LONGEST_KEY = 80;

const ID = /^answer:(.{1,80}):(\d|own)$/s;

/** What a button is known by that answers the question with this key. */
export function answerId(key: string, place: number | typeof OWN_TEXT): string {
  return `answer:${key}:${place}`;
}

/** The question that a button answers, and with what; undefined: it answers none. */
export function readAnswerId(id: string): { readonly key: string; readonly place: number | typeof OWN_TEXT } | undefined {
  const [, key, place] = ID.exec(id) ?? [];
  if (key === undefined || place === undefined) return undefined;
  return { key, place: place === OWN_TEXT ? OWN_TEXT : Number(place) };
}
