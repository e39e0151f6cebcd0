import { setImmediate as nextLoop } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import type { ItemNames } from '#src/admin/queries/item-sightings.ts';
import { chunks } from './columns.ts';
import { isPostgres } from './dialect.ts';
import { eachOf } from './json-list.ts';
import type { Tables } from './tables.ts';

/** The rules of one statement. SQLite answers in this process, so a statement must be short. */
const RULES_AT_ONCE = 200;

/** The names of items in the stored episodes and decisions. */
export function createItemNames(db: Kysely<Tables>): ItemNames {
  const like = sql.raw(isPostgres(db) ? 'ilike' : 'like');
  return {
    async rulesWith(name, rules) {
      const pattern = patternOf(name);
      const found = new Set<string>();
      for (const some of chunks(rules, RULES_AT_ONCE)) {
        const { rows } = await sql<{ readonly rule: string }>`
          select its.value as rule from ${eachOf(some)} as its
          where exists (select 1 from episode where rule = its.value and body ${like} ${pattern})
          or exists (select 1 from past_episode where rule = its.value and body ${like} ${pattern})
          or exists (select 1 from decision where rule = its.value and (item ${like} ${pattern} or reason ${like} ${pattern}))`.execute(db);
        for (const { rule } of rows) found.add(rule);
        await nextLoop();
      }
      return found;
    },
  };
}

/**
 * A pattern for JSON with a name in any letter case. SQLite knows the case of ASCII letters only, and JSON has other forms of some characters, so
 * such characters stand for any text.
 */
function patternOf(name: string): string {
  // The lower case of some letters is a letter with a mark.
  const parts = (name.match(/\P{M}\p{M}*/gu) ?? []).map((one) => {
    const isAscii = /^[a-z0-9 .:/-]$/iu.test(one);
    const hasOneForm = one.toLowerCase() === one.toUpperCase() && /^[\p{L}\p{N}]$/u.test(one);
    return isAscii || hasOneForm ? one : '%';
  });
  return `%${parts.join('')}%`;
}
