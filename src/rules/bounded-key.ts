import { hash } from './firing.ts';

/** A key that every database can store and index: a longer key, or one that is no valid Unicode text, becomes its hash. */
export function boundedKey(key: string, mostCharacters: number): string {
  return key.length > mostCharacters || !key.isWellFormed() || key.includes('\0') ? hash(key) : key;
}
