import { sql, type Kysely } from 'kysely';
import type { ItemNames } from '#src/admin/queries/item-sightings.ts';
import { firstUnindexed, rulesNamed } from './name-index.ts';
import type { Tables } from './tables.ts';
import { likeIn, patternOf } from './text-pattern.ts';

/** The names of items in the stored episodes and decisions: those of the index, and those that are not in it yet. */
export function createItemNames(db: Kysely<Tables>): ItemNames {
  return {
    async rulesWith(name, rules) {
      const [indexed, pattern, like] = [await rulesNamed(db, name), patternOf(name), likeIn(db)];
      const ofNoted = (table: 'episode' | 'past_episode') => sql`
        select its.rule from unindexed_episode as noted
        join ${sql.table(table)} as its on its.rule = noted.rule and its.id = noted.id where its.body ${like} ${pattern}`;
      const { rows } = await sql<{ readonly rule: string }>`
        ${ofNoted('episode')} union all ${ofNoted('past_episode')} union all
        select rule from decision where seq >= ${firstUnindexed(db)} and (item ${like} ${pattern} or reason ${like} ${pattern})`.execute(
        db,
      );
      const found = new Set([...indexed, ...rows.map(({ rule }) => rule)]);
      return new Set(rules.filter((rule) => found.has(rule)));
    },
  };
}
