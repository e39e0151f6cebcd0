import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import {
  BATCH,
  insertInto,
  selectAll,
  STATE_TABLES,
  type Row,
  type StateTable,
  type StoredTable,
  type TransferTarget,
} from './state-tables.ts';

/** The tables of the state with their stored columns, in the order of a transfer. */
export function storedTables(database: DatabaseSync): readonly StoredTable[] {
  const names = Object.keys(STATE_TABLES) as readonly StateTable[]; // the keys of the constant
  return names.map((name) => {
    const columns = database.prepare('select name from pragma_table_xinfo(?) where hidden = 0').all(name);
    return { name, columns: columns.map((column) => String(column['name'])) };
  });
}

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
      return storedTables(database).flatMap(({ name }) => (database.prepare(`select 1 from ${name} limit 1`).get() ? [name] : []));
    },

    async write(table, rows) {
      const statement = database.prepare(`${insertInto(table)} (${table.columns.map(() => '?').join(', ')})`);
      for (const row of rows) statement.run(...(row as readonly SQLInputValue[])); // the tables have no columns of other types
    },

    async count() {
      database.exec("update sent_count set count = (select count(*) from delivery where state = 'sent')");
    },
  };
}
