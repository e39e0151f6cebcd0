import type { Kysely } from 'kysely';
import { bigint, bytes, float, integer, jsonb, plainText, smallint, table, text, uuid, type RowsOf } from '../schema/table.ts';
import type { Tables } from '../tables.ts';

const CLUSTER_TABLES = {
  /** The running processes. */
  worker: table(
    {
      id: text(),
      role: plainText(),
      host: plainText(),
      /** The newest version of the schema that its program knows. */
      schema_version: integer(),
      started_ms: bigint(),
      /** The last sign of life. */
      seen_ms: bigint(),
      /** By which workers notice that their keys differ; empty for a worker without a key. */
      key_fingerprint: text(),
    },
    { key: ['id'] },
  ),

  /** When each rule is due. */
  agenda: table(
    {
      rule: text(),
      version: plainText(),
      /** JSON. */
      entry: plainText(),
      next_ms: bigint().optional(),
      /** The job that runs its slot. */
      batch: uuid().optional(),
      batched_ms: bigint().optional(),
      stuck: smallint<0 | 1>().defaultsTo(0),
    },
    {
      key: ['rule'],
      fillFactor: 70,
      indexes: {
        next: { on: 'next_ms', where: 'batch is null' },
        batch: { on: 'batch', where: 'batch is not null' },
        stuck: { on: 'rule', where: 'stuck = 1' },
      },
    },
  ),

  /** Who sends through each account. */
  lane: table(
    {
      account: text(),
      /** Increases with each holder. */
      token: bigint(),
      holder: plainText().optional(),
      /** When the holder took it. */
      since_ms: bigint(),
      until_ms: bigint(),
    },
    { key: ['account'], fillFactor: 50 },
  ),

  /** The only row names the server and its timeline that has the state. */
  timeline: table({ name: plainText() }, { key: ['name'] }),

  /** The pictures of posts that are not sent yet. */
  picture: table({ name: text(), bytes: bytes(), stored_ms: bigint() }, { key: ['name'] }),
};

const RULE_VERSION_TABLES = {
  rule_version: table(
    {
      number: integer(),
      hash: text(),
      published_ms: bigint(),
      publisher: text(),
      note: text().optional(),
      repeats: integer().optional(),
      approves: text().optional(),
      files: integer(),
      added: integer(),
      changed: integer(),
      deleted: integer(),
    },
    { key: ['number'] },
  ),

  /** The texts of the files, once each. */
  rule_text: table({ hash: text(), source: text() }, { key: ['hash'] }),

  /** A file with one text. It belongs to the versions from `since` until before `until`, so that a version only adds the files that it changed. */
  rule_file: table(
    { file: text(), since: integer(), until: integer().optional(), hash: text().references('rule_text') },
    { key: ['file', 'since'], indexes: { hash: { on: 'hash' }, until: { on: 'until', where: 'until is not null' } } },
  ),

  /** The files that members approved in Discord, until a rules folder has them. */
  approved_file: table({ file: text() }, { key: ['file'] }),
};

const DISCORD_TABLES = {
  /** The gateways and their shards, in one row with the id 1. Each change replaces the version that it read. */
  shard_state: table({ id: integer().check('id = 1'), version: bigint(), state: jsonb() }, { key: ['id'], fillFactor: 50 }),

  /** Interactions and messages that a process handles or has handled. */
  handled_event: table({ id: text(), handled_ms: bigint() }, { key: ['id'], indexes: { handled: { on: 'handled_ms' } } }),

  /** The process that writes an open answer of the assistant. */
  answer_writer: table({ answer: text(), process: text() }, { key: ['answer'] }),
};

/** The rate limits of accounts. */
export const RATE_TABLES = {
  rate_budget: table(
    {
      account: text(),
      budget: text(),
      paused_until_ms: float().defaultsTo(0),
      /** When the whole burst of a documented rate is available again. */
      full_at_ms: float().defaultsTo(0),
      /** The points of requests without a response, by the period in which they were taken. */
      period: float().defaultsTo(0),
      in_flight: float().defaultsTo(0),
      in_flight_before: float().defaultsTo(0),
      /** The sum of the points whose responses did not describe the budget. */
      unstated: float().defaultsTo(0),
      /** The number of rows in rate_window. */
      windows: integer().defaultsTo(0),
    },
    { key: ['account', 'budget'], fillFactor: 50 },
  ),

  rate_window: table(
    {
      account: text(),
      budget: text(),
      family: text(),
      limit_points: float(),
      /** Without the points in flight, which are still to be subtracted. */
      rest: float(),
      /** The allowance in the last response; absent if no response has described this window yet. */
      stated: float().optional(),
      until_ms: float(),
    },
    { key: ['account', 'budget', 'family'], fillFactor: 50 },
  ),
};

/** What several processes share. Columns in `_ms` are milliseconds since 1970. */
export const SHARED_TABLES = { ...CLUSTER_TABLES, ...RULE_VERSION_TABLES, ...DISCORD_TABLES, ...RATE_TABLES };

/** The tables of PostgreSQL. */
export type SharedTables = Tables & RowsOf<typeof SHARED_TABLES>;

/** The same database with the tables that the processes share. */
export function asShared(db: Kysely<Tables>): Kysely<SharedTables> {
  return db.withTables<RowsOf<typeof SHARED_TABLES>>();
}
