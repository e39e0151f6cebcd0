import { sql, type Kysely, type RawBuilder } from 'kysely';
import { isPostgres } from './dialect.ts';
import type { Tables } from './tables.ts';

/** The operator that compares a text with a {@link patternOf} in any letter case. */
export function likeIn(db: Kysely<Tables>): RawBuilder<unknown> {
  return sql.raw(isPostgres(db) ? 'ilike' : 'like');
}

/**
 * A pattern for text or JSON that has a name in any letter case. SQLite knows the case of ASCII letters only, and JSON has other forms of some characters, so
 * such characters stand for any text.
 */
export function patternOf(name: string): string {
  // The lower case of some letters is a letter with a mark.
  const parts = (name.match(/\P{M}\p{M}*/gu) ?? []).map((one) => {
    const isAscii = /^[a-z0-9 .:/-]$/iu.test(one);
    const hasOneForm = one.toLowerCase() === one.toUpperCase() && /^[\p{L}\p{N}]$/u.test(one);
    return isAscii || hasOneForm ? one : '%';
  });
  return `%${parts.join('')}%`;
}
