import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { NOTE_SETTLED } from '#src/store/sqlite/schema.ts';
import { BATCH, insertInto, selectAll, STORED_TABLES, type Row, type TransferTarget } from './state-tables.ts';

/** A SQLite database as a side of a transfer. */
export function sqliteSide(database: DatabaseSync): TransferTarget {
  return {
    async *read(table) {
      const statement = database.prepare(selectAll(table));
      statement.setReturnArrays(true);
      let batch: Row[] = [];
      for (const row of statement.iterate()) {
        batch.push(row as unknown as Row); // setReturnArrays changes the type of the rows
        if (batch.length < BATCH) continue;
        yield batch;
        batch = [];
      }
      if (batch.length > 0) yield batch;
    },

    async filled() {
      return STORED_TABLES.flatMap(({ name }) => (database.prepare(`select 1 from ${name} limit 1`).get() ? [name] : []));
    },

    async write(table, rows) {
      const statement = database.prepare(`${insertInto(table)} (${table.columns.map(() => '?').join(', ')})`);
      for (const row of rows) statement.run(...(row as readonly SQLInputValue[])); // the tables have no columns of other types
    },

    async count() {
      database.exec(
        "delete from sent_count; insert into sent_count select verb, count(*) from delivery where state = 'sent' group by verb",
      );
      database.exec(NOTE_SETTLED);
    },
  };
}
