/** As many rows as one statement writes: their values are few enough for any database. */
const CHUNK = 100;

/** `rows` in parts, one statement each. */
export function* chunks<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; from += CHUNK) yield rows.slice(from, from + CHUNK);
}
