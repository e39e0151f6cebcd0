import type { Selectable, Updateable } from 'kysely';
import type { Delivery, DeliveryChange, DeliveryError } from '#src/outbox/delivery.ts';
import type { Firing, PlannedStep } from '#src/rules/firing.ts';
import { fromOptionalText, toDate, toFlag, toMs, toText } from './columns.ts';
import type { DeliveryTable } from './tables.ts';

/** The columns that a `Delivery` is made of. */
export const DELIVERY_COLUMNS = [
  'seq',
  'id',
  'firing',
  'rule',
  'episode',
  'queue',
  'section',
  'occasion',
  'step',
  'element',
  'after',
  'verb',
  'account',
  'creates',
  'afresh',
  'state',
  'attempts',
  'created_ms',
  'due_ms',
  'expires_ms',
  'max_age_ms',
  'retry_ms',
  'retry_attempts',
  'search_ms',
  'strict',
  'omitted',
  'since_ms',
  'attempted_ms',
  'lost_ms',
  'give_up_ms',
  'sent_ms',
  'params',
  'result',
  'fault',
  'message',
  'reason',
  'why',
] as const satisfies readonly (keyof DeliveryTable)[];

export type DeliveryRow = Pick<Selectable<DeliveryTable>, (typeof DELIVERY_COLUMNS)[number]>;

export function toDelivery(row: DeliveryRow): Delivery {
  const { id, firing, rule, episode, queue, section, occasion, step, verb, account, state, attempts, fault, message } = row;
  return {
    id,
    firing,
    rule,
    episode,
    queue,
    section,
    occasion,
    step,
    element: row.element === '' ? undefined : row.element,
    after: row.after ?? undefined,
    do: verb,
    account,
    creates: row.creates === 1,
    afresh: row.afresh === 1,
    state,
    attempts,
    createdAt: new Date(row.created_ms),
    dueAt: new Date(row.due_ms),
    expiresAt: toDate(row.expires_ms),
    maxAgeMs: row.max_age_ms ?? undefined,
    retry: toRetry(row),
    searchSince: toDate(row.search_ms),
    strict: row.strict === 1 ? true : undefined,
    omitted: fromOptionalText(row.omitted),
    since: toDate(row.since_ms),
    attemptedAt: toDate(row.attempted_ms),
    lostAt: toDate(row.lost_ms),
    giveUpAt: toDate(row.give_up_ms),
    sentAt: toDate(row.sent_ms),
    params: fromOptionalText(row.params),
    result: fromOptionalText(row.result),
    // change() writes both or none, and no other words.
    error: fault === null || message === null ? undefined : { fault: fault as DeliveryError['fault'], message },
    reason: row.reason ?? undefined,
    why: fromOptionalText(row.why),
  };
}

function toRetry({ retry_ms: forMs, retry_attempts: attempts }: DeliveryRow): Delivery['retry'] {
  return forMs === null && attempts === null ? undefined : { forMs: forMs ?? undefined, attempts: attempts ?? undefined };
}

/** A step that was just decided. */
export function newDeliveryRow({ key, index, account, step }: PlannedStep, firing: Firing, nowMs: number) {
  const { id, rule, episode, queue, section, occasion, afresh, atMs } = firing;
  const { afterMs = 0, maxAgeMs, retry, strict = false } = step;
  // The time of a post of a person may be to come.
  const beginsMs = afterMs === 0 ? Math.max(nowMs, atMs) : atMs + afterMs;
  return {
    id: key,
    firing: id,
    rule,
    episode,
    queue,
    section,
    occasion,
    step: step.id ?? String(index),
    verb: step.do,
    account,
    creates: toFlag(step.creates),
    afresh: toFlag(afresh),
    plan: JSON.stringify(step),
    state: 'pending' as const,
    attempts: 0,
    created_ms: nowMs,
    begins_ms: beginsMs,
    due_ms: beginsMs,
    expires_ms: maxAgeMs === undefined ? null : atMs + afterMs + maxAgeMs,
    max_age_ms: maxAgeMs ?? null,
    retry_ms: retry?.forMs ?? null,
    retry_attempts: retry?.attempts ?? null,
    strict: toFlag(strict),
  };
}

/** A step as its delivery would stand if it was decided now. */
export function newDelivery(planned: PlannedStep, firing: Firing, nowMs: number): Delivery {
  return toDelivery({
    ...newDeliveryRow(planned, firing, nowMs),
    seq: 0,
    element: '',
    after: null,
    search_ms: null,
    since_ms: null,
    attempted_ms: null,
    lost_ms: null,
    give_up_ms: null,
    sent_ms: null,
    params: null,
    result: null,
    fault: null,
    message: null,
    reason: null,
    omitted: null,
    why: null,
  });
}

/** The columns that `change` changes: those that it names. */
export function toColumns(change: DeliveryChange): Updateable<DeliveryTable> {
  const columns: Updateable<DeliveryTable> = { state: change.state };
  if (change.attempts !== undefined) columns.attempts = change.attempts;
  if (change.dueAt !== undefined) columns.due_ms = change.dueAt.getTime();
  if ('since' in change) columns.since_ms = toMs(change.since);
  if ('attemptedAt' in change) columns.attempted_ms = toMs(change.attemptedAt);
  if ('lostAt' in change) columns.lost_ms = toMs(change.lostAt);
  if ('giveUpAt' in change) columns.give_up_ms = toMs(change.giveUpAt);
  if ('sentAt' in change) columns.sent_ms = toMs(change.sentAt);
  if ('params' in change) columns.params = toText(change.params);
  if ('searchSince' in change) columns.search_ms = toMs(change.searchSince);
  if ('omitted' in change) columns.omitted = toText(change.omitted);
  if ('result' in change) {
    columns.result = toText(change.result);
    columns.record = recordOf(change.result);
  }
  if ('error' in change) {
    columns.fault = change.error?.fault ?? null;
    columns.message = change.error?.message ?? null;
  }
  if ('reason' in change) {
    columns.reason = change.reason ?? null;
    columns.why = toText(change.why);
  }
  return columns;
}

/** The id of the record that a step made. */
function recordOf(result: DeliveryChange['result']): string | null {
  if (typeof result !== 'object' || result === null || !('id' in result)) return null;
  return typeof result.id === 'string' ? result.id : null;
}
