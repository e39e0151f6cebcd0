import type { Kysely } from 'kysely';
import type { Clock } from '#src/clock.ts';
import type { SourcedPerson, SourceStore } from '#src/engine/lists/list-sources.ts';
import { fromOptionalText, fromText, toDate } from './columns.ts';
import { preparedDelete, type OldRows } from './prepared.ts';
import type { Tables } from './tables.ts';

/** The people of the sources of lists, in the database. */
export function createSourceStore(db: Kysely<Tables>, clock: Pick<Clock, 'nowMs'>): SourceStore {
  return {
    async load(keys) {
      const rows = await db
        .selectFrom('list_source')
        .select(['key', 'read_ms', 'due_ms', 'problem'])
        .where('key', 'in', [...new Set(keys)])
        .execute();
      return new Map(
        rows.map(({ key, read_ms, due_ms, problem }) => [
          key,
          { readAt: toDate(read_ms), dueAt: new Date(due_ms), problem: fromOptionalText<string>(problem) },
        ]),
      );
    },

    async people(key) {
      const row = await db.selectFrom('list_source').select('people').where('key', '=', key).executeTakeFirst();
      return row ? fromText<readonly SourcedPerson[]>(row.people) : [];
    },

    async claim(key, { forMs, mostMs }) {
      const nowMs = clock.nowMs();
      const due_ms = nowMs + forMs;
      const claimed = await db
        .insertInto('list_source')
        .values({ key, people: '[]', read_ms: null, due_ms, problem: null })
        .onConflict((conflict) =>
          conflict
            .column('key')
            .doUpdateSet({ due_ms })
            .where((eb) => eb.or([eb('list_source.due_ms', '<=', nowMs), eb('list_source.due_ms', '>', nowMs + mostMs)])),
        )
        .returning('key')
        .executeTakeFirst();
      return claimed !== undefined;
    },

    async keep(key, people, nextMs) {
      const nowMs = clock.nowMs();
      const read = { people: JSON.stringify(people), read_ms: nowMs, due_ms: nowMs + nextMs, problem: null };
      await db.updateTable('list_source').set(read).where('key', '=', key).execute();
    },

    async fail(key, problem) {
      await db
        .updateTable('list_source')
        .set({ problem: JSON.stringify(problem) })
        .where('key', '=', key)
        .execute();
    },
  };
}

/** Deletes sources that no list has: others are due again and again. Resolves with their number. */
export const dropSources = preparedDelete((db, { beforeMs }: Pick<OldRows, 'beforeMs'>) =>
  db.deleteFrom('list_source').where('due_ms', '<', beforeMs),
);
