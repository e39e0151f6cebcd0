import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

interface States {
  /** The state that the copy replaces. It may be missing, damaged, of another installation or of another version. */
  readonly from: string;
  /** The copy, in the version of this Fanfare. */
  readonly to: string;
}

/** The people, sessions and tokens of the page. */
const TABLES = ['person', 'web_session', 'api_token', 'sign_in_attempt', 'first_run_token'] as const;

/**
 * Keeps the people, sessions and tokens of the replaced state, because those of the copy may have been removed or revoked since. False: the
 * replaced state does not show them, and those of the copy are valid again.
 */
export function keepAccess({ from, to }: States): boolean {
  using copy = new DatabaseSync(to);
  const current = accessIn(from, idOf(copy));
  if (!current) return false;
  copy.exec('begin immediate');
  for (const { table, rows } of current) {
    copy.exec(`delete from ${table}`);
    const known = new Set(
      copy
        .prepare('select name from pragma_table_info(?)')
        .all(table)
        .map(({ name }) => name),
    );
    for (const row of rows) {
      // After a rollback, the replaced state is of a newer version.
      const columns = Object.keys(row).filter((column) => known.has(column));
      copy
        .prepare(`insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`)
        .run(...columns.map((column) => row[column] ?? null));
    }
  }
  copy.exec('commit');
  return true;
}

/** The rows of a state with this id; undefined: it is another state, or cannot be read. */
function accessIn(state: string, id: unknown) {
  if (id === undefined || !existsSync(state)) return undefined;
  try {
    using database = new DatabaseSync(state, { readOnly: true });
    if (idOf(database) !== id) return undefined;
    return TABLES.map((table) => ({ table, rows: database.prepare(`select * from ${table}`).all() }));
  } catch {
    // A damaged state is a reason to restore a copy.
    return undefined;
  }
}

/** The id that a state and its copies share; undefined before the first start. */
function idOf(database: DatabaseSync): unknown {
  return database.prepare('select id from generation').get()?.['id'];
}
