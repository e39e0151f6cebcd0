import { hash } from 'node:crypto';

/** So much of a custom id may be a name. */
const ROOM = 32;
const HASHED = '~';

/** A name as it stands in a custom id: as it is where there is room, else something that stands for it. */
export function shortName(name: string): string {
  return name.length <= ROOM && /^[\w/,.@ -]*$/u.test(name) ? name : HASHED + hash('sha256', name, 'base64url').slice(0, 22);
}

/** Which of `names` is meant; undefined: it is no more. */
export function namedBy(short: string, names: readonly string[]): string | undefined {
  return names.find((name) => shortName(name) === short);
}
