import { DatabaseSync } from 'node:sqlite';

/** Whether nothing was ever stored in a state. `fanfare doctor` creates such a file, for example in a wrong folder. */
export function isUnused(file: string): boolean {
  try {
    using database = new DatabaseSync(file, { readOnly: true });
    const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
    const isState = tables.some(({ name }) => name === 'rule_state');
    return isState && tables.every(({ name }) => FILLED_TABLE.test(String(name)) || !hasRows(database, String(name)));
  } catch {
    // The copy reports what is wrong with the file.
    return false;
  }
}

/** The tables that have rows from the beginning: the counters, and those of the search and of SQLite. */
const FILLED_TABLE = /^(?:sent_count$|delivery_words_|sqlite_)/u;

/** Whether Fanfare has started with a state. Commands also create states, for example in a wrong folder. */
export function hasStarted(file: string): boolean {
  try {
    using database = new DatabaseSync(file, { readOnly: true });
    // A state of an earlier version has no environment.
    return ['rule_state', 'environment'].some((table) => hasRows(database, table));
  } catch {
    // The command reports what is wrong with the file.
    return true;
  }
}

function hasRows(database: DatabaseSync, table: string): boolean {
  return database.prepare(`select 1 from "${table}" limit 1`).get() !== undefined;
}
