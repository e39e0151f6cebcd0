import type { DeliveryState } from '#src/engine/delivery/delivery.ts';
import type { Section } from '#src/rules/firing.ts';
import { bigint, integer, sequence, table, text } from './schema/table.ts';

/** 0 is no, 1 is yes. */
export type Flag = 0 | 1;

/** The states of open deliveries, in the words of the indexes: SQLite uses an index for no other words. */
const IS_OPEN = "state in ('pending', 'sending', 'asked')";
const MAY_BEGIN = "state in ('pending', 'sending')";

/** Firings and their deliveries. Columns in `_ms` are milliseconds since 1970. JSON columns are text. */
export const DELIVERY_TABLES = {
  firing: table(
    {
      id: text(),
      rule: text(),
      episode: text(),
      section: text<Section>(),
      at_ms: bigint(),
      /** JSON; null when all steps are rendered. */
      scope: text().optional(),
      /** JSON. */
      names: text(),
    },
    {
      key: ['id'],
      indexes: {
        at: { on: 'at_ms' },
        scope: { on: 'at_ms', where: 'scope is not null' },
        while: { on: 'at_ms', where: "section = 'while'" },
      },
    },
  ),

  delivery: table(
    {
      /** Increases with every delivery. */
      seq: sequence(),
      id: text(),
      firing: text().references('firing (id) on delete cascade'),
      rule: text(),
      episode: text(),
      queue: text(),
      section: text<Section>(),
      occasion: text(),
      step: text(),
      /** The key of its `forEach` element; empty without one. */
      element: text().defaultsTo(''),
      /** The `position` of the delivery that it is a part of. */
      head: bigint().optional(),
      /** Deliveries of a queue are in the order of `position`, and then of `part`. */
      position: bigint().computed({ from: 'coalesce(head, seq)' }),
      part: integer().defaultsTo(0),
      /** The part of a thread that it replies to. */
      after: text().optional(),
      verb: text(),
      account: text(),
      creates: integer<Flag>(),
      even_if_unchanged: integer<Flag>(),
      /** The step at the time of the decision: JSON. */
      plan: text(),
      /** Its `forEach` element: JSON; null when all steps are rendered. */
      element_value: text().optional(),
      state: text<DeliveryState>().check("state in ('pending', 'sending', 'asked', 'sent', 'failed', 'unknown', 'skipped')"),
      attempts: integer(),
      created_ms: bigint(),
      /** The end of its wait. Before that, it delays no other delivery. */
      begins_ms: bigint(),
      due_ms: bigint(),
      expires_ms: bigint().optional(),
      /** Why it is not attempted again: JSON. */
      withdrawn: text().optional(),
      /** By whom it was sent again: JSON. */
      resends: text().optional(),
      /** The names for the expressions of a step that was sent again: JSON; null: those of the firing. */
      names: text().optional(),
      max_age_ms: bigint().optional(),
      answer_within_ms: bigint().optional(),
      retry_ms: bigint().optional(),
      retry_attempts: integer().optional(),
      /** Before the first attempt, Fanfare searches for a record that was created since this instant. */
      search_ms: bigint().optional(),
      strict: integer<Flag>().defaultsTo(0),
      /** JSON. */
      omitted: text().optional(),
      /** JSON. */
      origins: text().optional(),
      since_ms: bigint().optional(),
      attempted_ms: bigint().optional(),
      lost_ms: bigint().optional(),
      give_up_ms: bigint().optional(),
      sent_ms: bigint().optional(),
      settled_ms: bigint().optional(),
      /** JSON. */
      params: text().optional(),
      params_message: text()
        .optional()
        .computed({ field: ['params', 'message'] }),
      /** JSON. */
      result: text().optional(),
      /** The id of the resulting record. */
      record: text().optional(),
      fault: text().optional(),
      /** The message of the error. */
      error: text().optional(),
      /** The message of the reason. */
      message: text().optional(),
      /** JSON. */
      reason: text().optional(),
    },
    {
      unique: ['id'],
      indexes: {
        due: { on: 'account, due_ms', where: IS_OPEN },
        order: { on: 'account, position, part, due_ms', where: IS_OPEN },
        queue: { on: 'account, queue, position, part', where: MAY_BEGIN },
        sending: { on: 'account, position, part', where: "state = 'sending'" },
        open: { on: 'rule, section, queue, firing, id', where: IS_OPEN },
        asked: { on: 'id', where: "state = 'asked'" },
        unknown: { on: 'id', where: "state = 'unknown'" },
        failed: { on: 'seq, rule, created_ms', where: "state = 'failed'" },
        skipped: { on: 'seq, rule', where: "state = 'skipped' and not (section = 'while' and since_ms is null)" },
        while: { on: 'created_ms', where: "section = 'while'" },
        firing: { on: 'firing' },
        rule: { on: 'rule' },
        episode: { on: 'rule, episode, section, step, account, seq' },
        sent: { on: 'account, sent_ms', where: 'record is not null' },
        record: { on: 'record, seq', where: 'record is not null' },
      },
    },
  ),

  /** Dependencies between deliveries. */
  need: table(
    {
      /** The waiting delivery. */
      delivery: text().references('delivery (id) on delete cascade'),
      /** The delivery that it waits for. */
      needed: text(),
      /** Whether it reads the result, so that it also waits while the outcome is unknown. */
      reads: integer<Flag>(),
      /** Whether it is skipped if the other fails. */
      stops: integer<Flag>(),
    },
    { key: ['delivery', 'needed'], withoutRowId: true, indexes: { needed: { on: 'needed' } } },
  ),
};
