import { sql, type Kysely } from 'kysely';
import type { ItemNames } from '#src/admin/queries/item-sightings.ts';
import { firstUnindexed, rulesNamed } from './name-index.ts';
import type { Tables } from './tables.ts';
import { likeIn, patternOf } from './text-pattern.ts';

/** The names of items in the stored episodes and decisions: those of the index, and those that are not in it yet. */
export function createItemNames(db: Kysely<Tables>): ItemNames {
  return {
    async rulesWith(name, rules) {
      const [indexed, firstSeq] = [await rulesNamed(db, name), await firstUnindexed(db)];
      const [pattern, like] = [patternOf(name), likeIn(db)];
      // As a subquery, the episode is read by its key, whatever the database expects of the few noted ones.
      const ofNoted = (table: 'episode' | 'past_episode') => sql`
        select noted.rule from unindexed_episode as noted
        where (select its.body from ${sql.table(table)} as its where its.rule = noted.rule and its.id = noted.id) ${like} ${pattern}`;
      const { rows } = await sql<{ readonly rule: string }>`
        ${ofNoted('episode')} union all ${ofNoted('past_episode')} union all
        select rule from decision where seq >= ${firstSeq} and (item ${like} ${pattern} or reason ${like} ${pattern})`.execute(db);
      const found = new Set([...indexed, ...rows.map(({ rule }) => rule)]);
      return new Set(rules.filter((rule) => found.has(rule)));
    },
  };
}
