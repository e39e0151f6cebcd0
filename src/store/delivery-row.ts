import type { Selectable, Updateable } from 'kysely';
import type { Delivery, DeliveryChange, DeliveryError } from '#src/delivery/delivery.ts';
import type { SeenDelivery } from '#src/delivery/delivery-rows.ts';
import { newDelivery } from '#src/delivery/new-delivery.ts';
import type { NeedState, OpenDelivery } from '#src/delivery/ordering.ts';
import type { DeliveryReason } from '#src/delivery/reason.ts';
import type { Firing, PlannedStep } from '#src/rules/firing.ts';
import type { Need } from '#src/rules/needs.ts';
import { fromOptionalText, fromText, toDate, toFlag, toMs, toText } from './columns.ts';
import type { DeliveryTable } from './delivery-tables.ts';
import type { Tables } from './tables.ts';

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
  'begins_ms',
  'due_ms',
  'expires_ms',
  'max_age_ms',
  'answer_within_ms',
  'retry_ms',
  'retry_attempts',
  'search_ms',
  'strict',
  'omitted',
  'origins',
  'since_ms',
  'attempted_ms',
  'lost_ms',
  'give_up_ms',
  'sent_ms',
  'settled_ms',
  'params',
  'result',
  'fault',
  'message',
  'reason',
  'why',
  'withdrawn',
  'resends',
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
    evenIfUnchanged: row.afresh === 1,
    state,
    attempts,
    createdAt: new Date(row.created_ms),
    beginsAt: row.begins_ms === row.created_ms ? undefined : new Date(row.begins_ms),
    dueAt: new Date(row.due_ms),
    expiresAt: toDate(row.expires_ms),
    maxAgeMs: row.max_age_ms ?? undefined,
    answerWithinMs: row.answer_within_ms ?? undefined,
    retry: toRetry(row),
    searchSince: toDate(row.search_ms),
    strict: row.strict === 1 ? true : undefined,
    omitted: fromOptionalText(row.omitted),
    origins: fromOptionalText(row.origins),
    since: toDate(row.since_ms),
    attemptedAt: toDate(row.attempted_ms),
    lostAt: toDate(row.lost_ms),
    giveUpAt: toDate(row.give_up_ms),
    sentAt: toDate(row.sent_ms),
    settledAt: toDate(row.settled_ms),
    params: fromOptionalText(row.params),
    result: fromOptionalText(row.result),
    // change() writes both or none, and no other words.
    error: fault === null || message === null ? undefined : { fault: fault as DeliveryError['fault'], message },
    withdrawn: fromOptionalText(row.withdrawn),
    resends: fromOptionalText(row.resends),
    message: row.reason ?? undefined,
    reason: fromOptionalText(row.why),
  };
}

function toRetry({ retry_ms: forMs, retry_attempts: attempts }: DeliveryRow): Delivery['retry'] {
  return forMs === null && attempts === null ? undefined : { forMs: forMs ?? undefined, attempts: attempts ?? undefined };
}

/** The columns of a delivery that was just decided. */
export function newDeliveryRow(planned: PlannedStep, firing: Firing, times: Parameters<typeof newDelivery>[2]) {
  const {
    do: verb,
    expiresAt,
    maxAgeMs,
    answerWithinMs,
    retry,
    strict = false,
    creates,
    evenIfUnchanged,
    createdAt,
    dueAt,
    message,
    reason,
    ...delivery
  } = newDelivery(planned, firing, times);
  const { id, rule, episode, queue, section, occasion, step, account, state, attempts } = delivery;
  return {
    id,
    firing: firing.id,
    rule,
    episode,
    queue,
    section,
    occasion,
    step,
    verb,
    account,
    creates: toFlag(creates),
    afresh: toFlag(evenIfUnchanged),
    plan: JSON.stringify(planned.step),
    state,
    attempts,
    created_ms: createdAt.getTime(),
    begins_ms: dueAt.getTime(),
    due_ms: dueAt.getTime(),
    expires_ms: toMs(expiresAt),
    max_age_ms: maxAgeMs ?? null,
    answer_within_ms: answerWithinMs ?? null,
    retry_ms: retry?.forMs ?? null,
    retry_attempts: retry?.attempts ?? null,
    strict: toFlag(strict),
    reason: message ?? null,
    why: toText(reason),
  };
}

/** The columns that an `OpenDelivery` is made of. */
export const ORDER_COLUMNS = [
  'id',
  'account',
  'queue',
  'state',
  'turn',
  'part',
  'created_ms',
  'begins_ms',
  'expires_ms',
  'max_age_ms',
  'since_ms',
] as const satisfies readonly (keyof DeliveryTable)[];

export function toOpenDelivery(row: Pick<Selectable<DeliveryTable>, (typeof ORDER_COLUMNS)[number]>): OpenDelivery {
  const { id, account, queue, turn: order, part, created_ms, begins_ms, expires_ms, max_age_ms, since_ms } = row;
  const state = row.state as OpenDelivery['state']; // only open deliveries are selected
  return {
    id,
    account,
    queue,
    state,
    order,
    part,
    beginsMs: begins_ms === created_ms ? -Infinity : begins_ms,
    expiresMs: expires_ms ?? undefined,
    maxAgeMs: max_age_ms ?? undefined,
    isBegun: since_ms !== null,
  };
}

/** The columns that a `SeenDelivery` is made of. */
export const SEEN_COLUMNS = [
  'id',
  'step',
  'account',
  'element',
  'after',
  'state',
  'created_ms',
  'begins_ms',
  'plan',
  'why',
  'result',
  'origins',
] as const satisfies readonly (keyof DeliveryTable)[];

/** See `Needed.waitsUntilMs`. */
export function waitsUntilMs({
  state,
  created_ms,
  begins_ms,
}: Pick<Selectable<DeliveryTable>, 'state' | 'created_ms' | 'begins_ms'>): number | undefined {
  return state === 'pending' && begins_ms !== created_ms ? begins_ms : undefined;
}

export function toSeen(row: Pick<Selectable<DeliveryTable>, (typeof SEEN_COLUMNS)[number]>): SeenDelivery {
  const { id, step, account, element, after, state, created_ms, begins_ms, plan, why, result, origins } = row;
  return {
    id,
    step,
    account,
    element: element === '' ? undefined : element,
    after: after ?? undefined,
    state,
    waitsUntilMs: waitsUntilMs({ state, created_ms, begins_ms }),
    plan: fromText(plan),
    reasonKind: fromOptionalText<DeliveryReason>(why)?.kind,
    result: fromOptionalText(result),
    origins: fromOptionalText(origins),
  };
}

export function toNeed({ delivery, needed, reads, stops }: Selectable<Tables['need']>): Need {
  return { delivery, needed, reads: reads === 1, stops: stops === 1 };
}

export function toNeedState(row: Selectable<Tables['need']> & Pick<Selectable<DeliveryTable>, 'state' | 'settled_ms'>): NeedState {
  return { ...toNeed(row), state: row.state, settledMs: row.settled_ms ?? undefined };
}

/** The columns of a change; columns that it does not name stay. */
export function toColumns(change: DeliveryChange): Updateable<DeliveryTable> {
  const columns: Updateable<DeliveryTable> = { state: change.state };
  if (change.attempts !== undefined) columns.attempts = change.attempts;
  if (change.dueAt !== undefined) columns.due_ms = change.dueAt.getTime();
  if ('since' in change) columns.since_ms = toMs(change.since);
  if ('attemptedAt' in change) columns.attempted_ms = toMs(change.attemptedAt);
  if ('lostAt' in change) columns.lost_ms = toMs(change.lostAt);
  if ('giveUpAt' in change) columns.give_up_ms = toMs(change.giveUpAt);
  if ('sentAt' in change) columns.sent_ms = toMs(change.sentAt);
  if ('settledAt' in change) columns.settled_ms = toMs(change.settledAt);
  if ('params' in change) columns.params = toText(change.params);
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
    columns.message = change.error?.message ?? null;
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
    columns.reason = change.message ?? null;
    columns.why = toText(change.reason);
  }
  return columns;
}

/** The id of the record that a step made. */
function recordOf(result: DeliveryChange['result']): string | null {
  if (typeof result !== 'object' || result === null || !('id' in result)) return null;
  return typeof result.id === 'string' ? result.id : null;
}
