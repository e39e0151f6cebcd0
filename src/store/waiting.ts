import { sql, type Kysely, type SqlBool } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * Queries that know who waits for somebody:
 * - `on_operator`: for a word on an `unknown` delivery, as they read its result or may be stopped by one that does;
 * - `on_person`: for the answer to a question, as they read it or come after one that does.
 */
export function waiting(db: Kysely<Tables>) {
  return db
    .withRecursive('on_operator(id)', (cte) =>
      cte
        .selectFrom('need')
        .select('need.delivery as id')
        .where('need.reads', '=', 1)
        // A list and no join: the planner would go through all needs.
        .where('need.needed', 'in', cte.selectFrom('delivery').select('delivery.id').where(isNow('unknown')))
        .union(
          cte
            .selectFrom('on_operator')
            .innerJoin('need', 'need.needed', 'on_operator.id')
            .select('need.delivery as id')
            .where((eb) => eb.or([eb('need.reads', '=', 1), eb('need.stops', '=', 1)])),
        ),
    )
    .withRecursive('on_person(id)', (cte) =>
      cte
        .selectFrom('need')
        .select('need.delivery as id')
        .where('need.reads', '=', 1)
        .where('need.needed', 'in', cte.selectFrom('delivery').select('delivery.id').where(isNow('asked')))
        .union(cte.selectFrom('on_person').innerJoin('need', 'need.needed', 'on_person.id').select('need.delivery as id')),
    );
}

/** In the words of the index: in others it would not be used. */
function isNow(state: 'unknown' | 'asked') {
  return sql<SqlBool>`delivery.state = ${sql.lit(state)}`;
}
