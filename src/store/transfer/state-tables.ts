import { quotedList, type Table } from '../schema/table.ts';
import { ADDED_COLUMNS, ADDED_TABLES } from '../additions.ts';
import { STATE_TABLES } from '../tables.ts';

const ALL_TABLES = { ...STATE_TABLES, ...ADDED_TABLES };

/** The name of a table of the state. */
export type StateTable = keyof typeof ALL_TABLES;

/** A table with the columns that are stored, and not computed. */
export interface StoredTable {
  readonly name: StateTable;
  readonly columns: readonly string[];
  /** The columns that order its rows. */
  readonly order: readonly string[];
  /** Whether a sequence numbers its rows. */
  readonly hasSequence: boolean;
}

/** The tables of the state, each after the tables that its rows refer to. */
export const STORED_TABLES: readonly StoredTable[] = Object.entries<Table>(ALL_TABLES).map(([name, { columns: ownColumns, key }]) => {
  const columns = { ...ownColumns, ...ADDED_COLUMNS[name] };
  const stored = Object.keys(columns).filter((column) => !columns[column]?.definition.computed);
  const hasSequence = columns['seq']?.definition.type === 'sequence';
  return { name: name as StateTable, columns: stored, order: key ?? (hasSequence ? ['seq'] : stored), hasSequence }; // a key of the constant
});

/** The values of a row, in the order of the columns. */
export type Row = readonly (string | number | null | Uint8Array)[];

/** The rows in one statement. */
export const BATCH = 250;

/** A database of a transfer. */
export interface TransferSide {
  /** The rows of a table by key, in batches. */
  read(table: StoredTable): AsyncIterable<readonly Row[]>;
}

/** A database that gets the rows. */
export interface TransferTarget extends TransferSide {
  /** The tables that have rows. */
  filled(): Promise<readonly StateTable[]>;
  write(table: StoredTable, rows: readonly Row[]): Promise<void>;
  /** Brings counters and sequences up to date. */
  count(): Promise<void>;
}

/** The statement that reads a table in the order of its key. */
export function selectAll({ name, columns, order }: StoredTable): string {
  return `select ${quotedList(columns)} from ${name} order by ${quotedList(order)}`;
}

/** The start of the statement that inserts rows. */
export function insertInto({ name, columns }: StoredTable): string {
  return `insert into ${name} (${quotedList(columns)}) values `;
}
