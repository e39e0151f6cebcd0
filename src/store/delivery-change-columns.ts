import type { Updateable } from 'kysely';
import type { Delivery, DeliveryChange } from '#src/engine/delivery/delivery.ts';
import { deliveryTexts, wordsOf } from '#src/engine/delivery/delivery-texts.ts';
import { toFlag, toMs, toText } from './columns.ts';
import type { Tables } from './tables.ts';

/** The columns of a change; columns that it does not name stay. */
export function toColumns(change: DeliveryChange): Updateable<Tables['delivery']> {
  const columns: Updateable<Tables['delivery']> = { state: change.state };
  if (change.attempts !== undefined) columns.attempts = change.attempts;
  if (change.dueAt !== undefined) columns.due_ms = change.dueAt.getTime();
  if ('since' in change) columns.since_ms = toMs(change.since);
  if ('attemptedAt' in change) columns.attempted_ms = toMs(change.attemptedAt);
  if ('lostAt' in change) columns.lost_ms = toMs(change.lostAt);
  if ('giveUpAt' in change) columns.give_up_ms = toMs(change.giveUpAt);
  if ('sentAt' in change) columns.sent_ms = toMs(change.sentAt);
  if ('settledAt' in change) columns.settled_ms = toMs(change.settledAt);
  if ('params' in change) {
    columns.params = toText(change.params);
    columns.words = toWords(change);
  }
  if ('searchSince' in change) columns.search_ms = toMs(change.searchSince);
  if ('origins' in change) columns.origins = toText(change.origins);
  if ('omitted' in change) columns.omitted = toText(change.omitted);
  if ('result' in change) {
    columns.result = toText(change.result);
    // A skipped step passes on the result of an earlier one, and made no record.
    columns.record = change.state === 'skipped' ? null : recordOf(change.result);
  }
  if ('error' in change) {
    columns.fault = change.error?.fault ?? null;
    columns.error = change.error?.message ?? null;
  }
  if ('expiresAt' in change) columns.expires_ms = toMs(change.expiresAt);
  if ('retry' in change) {
    columns.retry_ms = change.retry?.forMs ?? null;
    columns.retry_attempts = change.retry?.attempts ?? null;
  }
  if ('strict' in change) columns.strict = toFlag(change.strict ?? false);
  if ('resends' in change) columns.resends = toText(change.resends);
  if ('withdrawn' in change) columns.withdrawn = toText(change.withdrawn);
  if ('message' in change) {
    columns.message = change.message ?? null;
    columns.reason = toText(change.reason);
  }
  return columns;
}

/**
 * A change without the values that it leaves absent. A withdrawal may be stored while an attempt runs, so `withdrawn` always counts as
 * a difference.
 *
 * SQLite renews each index of a column that a statement sets, and runs its triggers, even for the same value.
 */
export function differencesOf(delivery: Delivery, change: DeliveryChange): DeliveryChange {
  const { state, ...others } = change;
  const differences: Record<string, unknown> = { state };
  const names = Object.keys(others) as (keyof typeof others)[]; // a change has no other keys
  for (const name of names) {
    if (others[name] !== undefined || delivery[name] !== undefined || name === 'withdrawn') differences[name] = others[name];
  }
  return differences as unknown as DeliveryChange; // it lost absent values only
}

/** The words that a search finds a delivery by. */
function toWords(change: DeliveryChange): string | null {
  const words = wordsOf(
    deliveryTexts(change)
      .map(({ text }) => text)
      .join(' '),
  );
  return words.length === 0 ? null : words.join(' ');
}

/** The id of the record that a step made. */
function recordOf(result: DeliveryChange['result']): string | null {
  if (typeof result !== 'object' || result === null || !('id' in result)) return null;
  return typeof result.id === 'string' ? result.id : null;
}
