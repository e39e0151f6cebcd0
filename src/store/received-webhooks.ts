import type { Kysely, Transaction } from 'kysely';
import type { ReceivedWebhooks } from '#src/engine/scheduler/received-webhooks.ts';
import type { Item } from '#src/rules/poll.ts';
import type { ReceivedWebhook } from '#src/rules/rule.ts';
import { fromText } from './columns.ts';
import type { OldRows } from './prepared.ts';
import type { Tables } from './tables.ts';

/** The most webhooks of one replay. */
const MOST_LISTED = 10_000;

/** The webhooks that rules processed, in the database. */
export function createReceivedWebhooks(db: Kysely<Tables>): ReceivedWebhooks {
  return {
    has: (rule, key) => isReceived(db, rule, key),

    async list(rule, sinceMs) {
      const rows = await db
        .selectFrom('received_webhook')
        .selectAll()
        .where('rule', '=', rule)
        .where('at_ms', '>=', sinceMs)
        .where('item', 'is not', null)
        .orderBy('at_ms', 'desc')
        .limit(MOST_LISTED)
        .execute();
      return rows
        .toReversed()
        .map(({ key, webhook, at_ms, item }) => ({ key, webhook, slotMs: at_ms, item: fromText<Item>(item ?? '{}') }));
    },
  };
}

/** Whether a rule processed a payload with this key. */
export async function isReceived(db: Kysely<Tables>, rule: string, key: string): Promise<boolean> {
  const found = db.selectFrom('received_webhook').select('key').where('rule', '=', rule).where('key', '=', key);
  return (await found.executeTakeFirst()) !== undefined;
}

/** Stores a processed webhook. The caller holds the row of the rule, so no other process stores the same key. */
export async function storeReceived(
  trx: Transaction<Tables>,
  { rule, slotMs }: { readonly rule: string; readonly slotMs: number },
  { webhook, key, item }: ReceivedWebhook,
): Promise<void> {
  await trx
    .insertInto('received_webhook')
    .values({ rule, key, webhook, at_ms: slotMs, item: JSON.stringify(item) })
    .execute();
}

/** Deletes the keys of old webhooks. Resolves with their number. */
export async function dropReceived(db: Kysely<Tables>, { beforeMs, limit }: OldRows): Promise<number> {
  const old = db.selectFrom('received_webhook').select(['rule', 'key']).where('at_ms', '<', beforeMs).limit(limit);
  const { numDeletedRows } = await db
    .deleteFrom('received_webhook')
    .where((eb) => eb(eb.refTuple('rule', 'key'), 'in', old.$asTuple('rule', 'key')))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Deletes the payloads of old webhooks, whose keys stay. Resolves with their number. */
export async function forgetItems(db: Kysely<Tables>, { beforeMs, limit }: OldRows): Promise<number> {
  const old = db
    .selectFrom('received_webhook')
    .select(['rule', 'key'])
    .where('at_ms', '<', beforeMs)
    .where('item', 'is not', null)
    .limit(limit);
  const { numUpdatedRows } = await db
    .updateTable('received_webhook')
    .set({ item: null })
    .where((eb) => eb(eb.refTuple('rule', 'key'), 'in', old.$asTuple('rule', 'key')))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
