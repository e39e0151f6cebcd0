import { shortHash } from './digest.ts';

/** The ids that stood on the page before. */
export interface Before {
  has(id: string): boolean;
  /** Their short hashes, as a cursor carries them. */
  hashes(): readonly string[];
}

/** What stands before the first page. */
export const nothingBefore: Before = { has: () => false, hashes: () => [] };

/** As the page had them: nothing is hashed before a cursor is asked for. It holds ids alone, so that no cursor keeps a page's records. */
export function beforeOf(ids: readonly string[]): Before {
  let known: ReadonlySet<string> | undefined;
  return { has: (id) => (known ??= new Set(ids)).has(id), hashes: () => ids.map(shortHash) };
}

/** As a cursor kept them. */
export function beforeFrom(hashes: readonly string[]): Before {
  const known = new Set(hashes);
  return { has: (id) => known.has(shortHash(id)), hashes: () => hashes };
}
