import { setImmediate as nextLoop } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import type { ItemNames } from '#src/admin/queries/item-sightings.ts';
import { chunks } from './columns.ts';
import { eachOf } from './json-list.ts';
import type { Tables } from './tables.ts';
import { likeIn, patternOf } from './text-pattern.ts';

/** The rules of one statement. SQLite answers in this process, so a statement must be short. */
const RULES_AT_ONCE = 200;

/** The names of items in the stored episodes and decisions. */
export function createItemNames(db: Kysely<Tables>): ItemNames {
  const like = likeIn(db);
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
