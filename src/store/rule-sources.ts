import type { Kysely } from 'kysely';
import type { Clock } from '#src/clock.ts';
import type { RuleSources } from '#src/rules/rule-sources.ts';
import { chunks } from './columns.ts';
import { inTransaction } from './transaction.ts';
import type { Tables } from './tables.ts';

/** The last valid rule files. */
export function createRuleSources(db: Kysely<Tables>, clock: Clock): RuleSources {
  return {
    async load() {
      const rows = await db.selectFrom('rule_source').select(['file', 'source']).orderBy('file').execute();
      return new Map(rows.map((row) => [row.file, row]));
    },

    async change({ save, forget }) {
      await inTransaction(db, async (trx) => {
        for (const files of chunks(forget)) await trx.deleteFrom('rule_source').where('file', 'in', files).execute();
        for (const sources of chunks(save)) {
          await trx
            .insertInto('rule_source')
            .values(sources.map(({ file, source }) => ({ file, source, saved_ms: clock.nowMs() })))
            .onConflict((conflict) =>
              conflict.column('file').doUpdateSet((eb) => ({ source: eb.ref('excluded.source'), saved_ms: eb.ref('excluded.saved_ms') })),
            )
            .execute();
        }
      });
    },
  };
}
