import type { Generated } from 'kysely';
import type { Outcome } from '#src/rules/decision.ts';
import type { WithAdditions } from './additions.ts';
import { ASSISTANT_TABLES } from './assistant-tables.ts';
import { DELIVERY_TABLES, type Flag } from './delivery-tables.ts';
import { bigint, bytes, integer, sequence, table, text, type RowsOf } from './schema/table.ts';

const RULE_TABLES = {
  rule_state: table(
    {
      rule: text(),
      /** The last slot that was committed. */
      slot_ms: bigint(),
      /** When the rule asks to run, whatever its schedule. */
      wake_ms: bigint().optional(),
      /** When the rule was deleted. */
      retired_ms: bigint().optional(),
      /** How often an operator resumed the rule. */
      resumes: integer().defaultsTo(0),
      /** JSON. */
      memory: text().optional(),
      last_poll_ms: bigint()
        .optional()
        .computed({ field: ['memory', 'lastPollMs'] }),
      blown_ms: bigint()
        .optional()
        .computed({ field: ['memory', 'blownMs'] }),
      /** JSON. */
      clock_set_back: text()
        .optional()
        .computed({ field: ['memory', 'clockSetBack'] }),
    },
    { key: ['rule'] },
  ),

  episode: table(
    {
      rule: text(),
      id: text(),
      /** JSON. */
      body: text(),
      started_ms: bigint().computed({ field: ['body', 'startedMs'] }),
      opened_ms: bigint()
        .optional()
        .computed({ field: ['body', 'openedMs'] }),
      closed_ms: bigint()
        .optional()
        .computed({ field: ['body', 'closedMs'] }),
    },
    { key: ['rule', 'id'], indexes: { started: { on: 'rule, started_ms' } } },
  ),

  /** Announced episodes that ended for good. */
  past_episode: table(
    {
      rule: text(),
      id: text(),
      started_ms: bigint(),
      closed_ms: bigint(),
      /** JSON. */
      body: text(),
    },
    { key: ['rule', 'id'], indexes: { started: { on: 'rule, started_ms' }, closed: { on: 'closed_ms' } } },
  ),

  /** Rules that a person paused. */
  paused_rule: table(
    {
      rule: text(),
      /** The name of the person. */
      person: text(),
      at_ms: bigint(),
    },
    { key: ['rule'], withoutRowId: true },
  ),

  /** Rule files in their last valid version. */
  rule_source: table({ file: text(), source: text(), saved_ms: bigint() }, { key: ['file'] }),
};

const HISTORY_TABLES = {
  decision: table(
    {
      seq: sequence(),
      rule: text(),
      at_ms: bigint(),
      outcome: text<Outcome>(),
      item: text().optional(),
      episode: text().optional(),
      message: text(),
      /** JSON. */
      reason: text().optional(),
      /** JSON. */
      details: text().optional(),
    },
    { indexes: { rule: { on: 'rule, outcome, seq' } } },
  ),

  /** Compressed results of polls. */
  recorded_poll: table(
    {
      seq: sequence(),
      /** The hash of a query. Queries that can be sent as one share it. */
      query: text(),
      slot_ms: bigint(),
      body: bytes(),
    },
    { indexes: { query: { on: 'query, slot_ms' } } },
  ),
};

const PEOPLE_TABLES = {
  /** Messages that are sent once under a name and edited from then on. */
  standing_message: table(
    {
      account: text(),
      name: text(),
      /** `channel/message`. */
      message: text(),
    },
    { key: ['account', 'name'], withoutRowId: true },
  ),

  /** Options of commands that are too long for a button. */
  saved_view: table(
    { id: text(), command: text(), options: text(), made_ms: bigint() },
    { key: ['id'], withoutRowId: true, indexes: { made: { on: 'made_ms' } } },
  ),

  /** Posts of people. */
  post: table(
    {
      id: text(),
      /** Empty for a post outside a server. */
      server: text(),
      by_id: text(),
      by_name: text(),
      /** JSON. */
      body: text(),
      at_ms: bigint(),
      queued: integer<Flag>(),
      made_ms: bigint(),
      cancelled_by: text().optional(),
    },
    {
      key: ['id'],
      withoutRowId: true,
      indexes: {
        server: { on: 'server, at_ms' },
        at: { on: 'at_ms' },
        queue: { on: 'server, at_ms', where: 'queued = 1 and cancelled_by is null', isUnique: true },
      },
    },
  ),

  post_draft: table(
    {
      id: text(),
      owner: text(),
      /** JSON. */
      body: text(),
      kept_ms: bigint(),
    },
    { key: ['id'], withoutRowId: true, indexes: { kept: { on: 'kept_ms' }, owner: { on: 'owner, kept_ms' } } },
  ),
};

const ACCOUNT_TABLES = {
  /** Sealed tokens of accounts. */
  sealed_token: table({ account: text(), sealed: text(), saved_ms: bigint() }, { key: ['account'], withoutRowId: true }),

  /** Spending of accounts by month, for example `2026-11`. */
  spent: table({ account: text(), month: text(), micro_usd: bigint() }, { key: ['account', 'month'], withoutRowId: true }),

  /** Rows that a platform has billed on a day, for example `2026-11-20`. */
  billed_row: table({ account: text(), day: text(), row: text() }, { key: ['account', 'day', 'row'], withoutRowId: true }),

  /** The users whose posts an account watches. */
  watched_user: table({ account: text(), user: text(), since_ms: bigint() }, { key: ['account', 'user'], withoutRowId: true }),

  /** Restores of the state from a copy. */
  restored: table({
    at_ms: bigint(),
    /** The last instant that the copy knows. */
    copied_ms: bigint(),
    /** Until then, a decision may repeat a sent one; null before the first start. */
    until_ms: bigint().optional(),
  }),

  /** The length limits of posts that servers stated. */
  text_limit: table(
    {
      /** The server's address. */
      server: text(),
      most: bigint(),
    },
    { key: ['server'], withoutRowId: true },
  ),
};

/** The tables of the state, each after the tables that its rows refer to. Columns in `_ms` are milliseconds since 1970. JSON columns are text. */
export const STATE_TABLES = {
  ...RULE_TABLES,
  ...DELIVERY_TABLES,
  ...HISTORY_TABLES,
  ...PEOPLE_TABLES,
  ...ACCOUNT_TABLES,
  ...ASSISTANT_TABLES,
};

/** Counters, which triggers update. */
export const COUNTERS = {
  /** The number of stored decisions. */
  decision_count: table({ rule: text(), outcome: text<Outcome>(), count: bigint() }, { key: ['rule', 'outcome'], withoutRowId: true }),
};

/** The tables of every store. */
export interface Tables extends WithAdditions<RowsOf<typeof STATE_TABLES & typeof COUNTERS>> {
  /** The number of deliveries in the state `sent` by operation: the sums of the rows. Triggers update it. */
  readonly sent_count: { verb: string; count: number };
  /** The names of the items of each rule. */
  readonly item_name: { name: string; rule: string; seen_ms: number };
  /** The episodes whose names may be missing in `item_name`. Triggers note them. */
  readonly unindexed_episode: { readonly seq: Generated<number>; rule: string; id: string };
  /** At most one row: the last decision whose names are in `item_name`. */
  readonly indexed_decision: { readonly seq: number };
}
