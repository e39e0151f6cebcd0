import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

/** The tables of the rule versions. Columns in `_ms` are milliseconds since 1970. */
export interface RuleVersionTables {
  readonly rule_version: RuleVersionTable;
  readonly rule_text: RuleTextTable;
  readonly rule_file: RuleFileTable;
  readonly approved_file: ApprovedFileTable;
}

export interface RuleVersionTable {
  number: number;
  hash: string;
  published_ms: number;
  publisher: string;
  note: string | null;
  repeats: number | null;
  approves: string | null;
  files: number;
  added: number;
  changed: number;
  deleted: number;
}

/** The texts of the files, once each. */
interface RuleTextTable {
  hash: string;
  source: string;
}

/** A file with one text. It belongs to the versions from `since` until before `until`. */
interface RuleFileTable {
  file: string;
  since: number;
  until: number | null;
  hash: string;
}

/** A file that a member approved in Discord, and that no rules folder had since then. */
interface ApprovedFileTable {
  file: string;
}

/** An interface as a type, which Kysely requires. */
export type AsType<T> = Pick<T, keyof T>;

/** The same database with the tables of the rule versions. */
export function asRuleVersions(db: Kysely<Tables>): Kysely<Tables & RuleVersionTables> {
  return db.withTables<AsType<RuleVersionTables>>();
}
