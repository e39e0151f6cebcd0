import type { Tables } from '../tables.ts';

/** The tables of the state, each after the tables that its rows refer to, with the columns that order its rows. */
export const STATE_TABLES = {
  rule_state: ['rule'],
  episode: ['rule', 'id'],
  past_episode: ['rule', 'id'],
  paused_rule: ['rule'],
  rule_source: ['file'],
  firing: ['id'],
  delivery: ['seq'],
  need: ['delivery', 'needed'],
  decision: ['seq'],
  recorded_poll: ['seq'],
  standing_message: ['account', 'name'],
  kept_view: ['id'],
  post: ['id'],
  post_draft: ['id'],
  sealed_token: ['account'],
  spent: ['account', 'month'],
  billed_row: ['account', 'day', 'row'],
  watched_user: ['account', 'user'],
  restored: ['at_ms', 'copied_ms'],
  text_limit: ['server'],
  conversation: ['id'],
  transcript: ['seq'],
  draft: ['id'],
  counted_question: ['id'],
  answer_message: ['message'],
  answer_place: ['place'],
  conversation_cost: ['conversation'],
  open_answer: ['id'],
} as const satisfies Record<Exclude<keyof Tables, 'sent_count' | 'decision_count'>, readonly string[]>;

/** The name of a table of the state. */
export type StateTable = keyof typeof STATE_TABLES;

/** A table with the columns that are stored, and not computed. */
export interface StoredTable {
  readonly name: StateTable;
  readonly columns: readonly string[];
}

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
export function selectAll({ name, columns }: StoredTable): string {
  const list = (names: readonly string[]): string => names.map((column) => `"${column}"`).join(', ');
  return `select ${list(columns)} from ${name} order by ${list(STATE_TABLES[name])}`;
}

/** The start of the statement that inserts rows. */
export function insertInto({ name, columns }: StoredTable): string {
  return `insert into ${name} (${columns.map((column) => `"${column}"`).join(', ')}) values `;
}
