import type { NotificationSubscription } from '#src/clients/operation/notification-request.ts';
import type { Access } from '#src/engine/outages.ts';
import { bigint, integer, table, text, type Addition } from './schema/table.ts';

/** The pauses that people planned. */
export const PLANNED_PAUSES_ADDITION = {
  tables: {
    planned_pause: table(
      {
        rule: text(),
        from_ms: bigint(),
        /** When the rule resumes automatically; null: not before a person resumes it. */
        until_ms: bigint().optional(),
        /** The name of the person. */
        person: text(),
        at_ms: bigint(),
      },
      { key: ['rule', 'from_ms'], withoutRowId: true, indexes: { from: { on: 'from_ms' } } },
    ),
  },
  columns: {
    paused_rule: {
      /** When a person planned the pause; null: it began at once. */
      planned_ms: bigint().optional(),
    },
  },
} satisfies Addition;

/** The attempts of deliveries that failed. A trigger writes them, so that an attempt that succeeds costs nothing more. */
export const FAILED_ATTEMPTS_ADDITION = {
  tables: {
    failed_attempt: table(
      {
        delivery: text().references('delivery (id) on delete cascade'),
        /** When the attempt began. */
        at_ms: bigint(),
        fault: text(),
        /** The message of the error. */
        error: text(),
      },
      { key: ['delivery', 'at_ms'], withoutRowId: true },
    ),
  },
} satisfies Addition;

/** The accounts that cannot be read or written. */
export const OUTAGES_ADDITION = {
  tables: {
    outage: table(
      {
        account: text(),
        access: text<Access>(),
        since_ms: bigint(),
        seen_ms: bigint(),
        fault: text(),
        /** JSON: the message of the platform. */
        problem: text(),
      },
      { key: ['account', 'access'], withoutRowId: true },
    ),
  },
} satisfies Addition;

/** The use of accounts by hour. */
export const ACCOUNT_USAGE_ADDITION = {
  tables: {
    account_usage: table(
      {
        account: text(),
        /** The start of the hour. */
        hour_ms: bigint(),
        /** The smallest rest of the rate limits in millionths; null: none was stated. */
        least_left_ppm: integer().optional(),
        /** The greatest sum of the month up to this hour, in millionths of a USD; null: the account costs nothing. */
        spent_micro_usd: bigint().optional(),
      },
      { key: ['account', 'hour_ms'], withoutRowId: true, indexes: { hour: { on: 'hour_ms' } } },
    ),
  },
} satisfies Addition;

/** The connections over which platforms notify about changes. */
export const NOTIFIERS_ADDITION = {
  tables: {
    notifier: table(
      {
        account: text(),
        /** What the adapter keeps, for example the id of its record at the platform. */
        text: text().optional(),
        /** JSON: the last known state of the connection. */
        status: text().optional(),
        /** When the platform last notified. */
        notified_ms: bigint().optional(),
      },
      { key: ['account'], withoutRowId: true },
    ),
  },
} satisfies Addition;

/** The subscriptions to notifications that platforms send to the public address. */
export const SUBSCRIPTIONS_ADDITION = {
  tables: {
    notification_subscription: table(
      {
        account: text(),
        /** The id at the platform, or the part of the callback that names the subscription. */
        id: text(),
        topic: text(),
        /** JSON: the watched names. */
        names: text(),
        /** The address of the server that notifies; null: the platform. */
        hub: text().optional(),
        state: text<NotificationSubscription['state']>(),
        since_ms: bigint(),
        until_ms: bigint().optional(),
      },
      { key: ['account', 'id'], withoutRowId: true },
    ),
  },
} satisfies Addition;

/** The webhooks that rules processed, so that a repeated request does nothing. */
export const WEBHOOKS_ADDITION = {
  tables: {
    received_webhook: table(
      {
        rule: text(),
        /** The id of the payload. */
        key: text(),
        webhook: text(),
        at_ms: bigint(),
        /** JSON: the fields that the rule reads, for replays; null for older ones. */
        item: text().optional(),
      },
      {
        key: ['rule', 'key'],
        withoutRowId: true,
        indexes: { at: { on: 'at_ms' }, kept: { on: 'at_ms', where: 'item is not null' } },
      },
    ),
  },
} satisfies Addition;

/** Whether the accounts of the state are simulated: at most one row. */
export const ENVIRONMENT_ADDITION = {
  tables: {
    environment: table({ name: text<'sandbox' | 'real'>() }, { key: ['name'], withoutRowId: true }),
  },
} satisfies Addition;

/** The values of pruned episodes from which totals are computed. */
export const TOTALS_ADDITION = {
  tables: {
    episode_total: table(
      {
        rule: text(),
        id: text(),
        started_ms: bigint(),
        ended_ms: bigint(),
        /** JSON: the greatest values of numbers. */
        peak: text(),
        /** JSON: the averages of numbers. */
        average: text(),
      },
      { key: ['rule', 'id'], withoutRowId: true, indexes: { ended: { on: 'ended_ms' } } },
    ),
  },
} satisfies Addition;

/** The index of failed deliveries has all columns that the counts of them read. */
export const FAILURES_WITH_END = `
drop index delivery_failed;
create index delivery_failed on delivery (seq, rule, created_ms, settled_ms) where state = 'failed';
`;
