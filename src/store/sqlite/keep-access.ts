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
  const current = accessIn(from, generationOf(copy));
  if (!current) return false;
  // Deleted passwords must not stay readable in unused pages.
  copy.exec('pragma secure_delete = on');
  copy.exec('begin immediate');
  // A further restore must not take these tables for older ones.
  copy.prepare('update generation set number = max(number, ?)').run(current.number);
  for (const { table, rows } of current.tables) {
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

/** The access in a state; undefined: it is another state, an older one than the copy, or cannot be read. */
function accessIn(state: string, copied: Generation | undefined) {
  if (!copied || !existsSync(state)) return undefined;
  try {
    using database = new DatabaseSync(state, { readOnly: true });
    const own = generationOf(database);
    // A state that an earlier restore put there is older than a newer copy.
    if (own?.id !== copied.id || own.number < copied.number) return undefined;
    return { number: own.number, tables: TABLES.map((table) => ({ table, rows: database.prepare(`select * from ${table}`).all() })) };
  } catch {
    // A damaged state is a reason to restore a copy.
    return undefined;
  }
}

interface Generation {
  /** What a state and its copies share. */
  readonly id: string;
  /** It rises with the changes of a state. */
  readonly number: number;
}

/** Undefined before the first start. */
function generationOf(database: DatabaseSync): Generation | undefined {
  const row = database.prepare('select id, number from generation').get();
  return row && { id: String(row['id']), number: Number(row['number']) };
}
