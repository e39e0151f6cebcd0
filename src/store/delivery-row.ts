import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { DeliveryError } from '#src/engine/delivery/delivery-error.ts';
import type { FiringDelivery } from '#src/engine/delivery/firing-outcome.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import type { SeenDelivery } from '#src/engine/delivery/delivery-rows.ts';
import { newDelivery } from '#src/engine/delivery/new-delivery.ts';
import type { NeedState, OpenDelivery } from '#src/engine/delivery/ordering.ts';
import type { DeliveryReason } from '#src/engine/delivery/reason.ts';
import type { Firing, PlannedStep } from '#src/rules/firing.ts';
import type { Need } from '#src/rules/needs.ts';
import { fromOptionalText, fromText, toDate, toFlag, toMs, toText } from './columns.ts';
import type { Tables } from './tables.ts';

/** The columns that a `Delivery` is made of. */
export const DELIVERY_COLUMNS = [
  'seq',
  'id',
  'firing',
  'rule',
  'text_version',
  'item',
  'item_name',
  'item_picture',
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
  'even_if_unchanged',
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
  'error',
  'message',
  'reason',
  'withdrawn',
  'resends',
] as const satisfies readonly (keyof Tables['delivery'])[];

export type DeliveryRow = Pick<Selectable<Tables['delivery']>, (typeof DELIVERY_COLUMNS)[number]>;

export function toDelivery(row: DeliveryRow): Delivery {
  const { id, firing, rule, episode, queue, section, occasion, step, account, attempts } = row;
  return {
    id,
    firing,
    rule,
    textVersion: row.text_version ?? undefined,
    item: toItem(row),
    episode,
    queue,
    section,
    occasion,
    step,
    element: row.element === '' ? undefined : row.element,
    after: row.after ?? undefined,
    account,
    creates: row.creates === 1,
    evenIfUnchanged: row.even_if_unchanged === 1,
    ...toOutcome(row),
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
    withdrawn: fromOptionalText(row.withdrawn),
    resends: fromOptionalText(row.resends),
  };
}

/** The state of a delivery, and what explains it. */
export function toOutcome({
  verb,
  state,
  fault,
  error,
  message,
  reason,
}: Pick<DeliveryRow, 'verb' | 'state' | 'fault' | 'error' | 'message' | 'reason'>): FiringDelivery {
  return {
    do: verb,
    state,
    // change() writes both or none, and no other words.
    error: fault === null || error === null ? undefined : { fault: fault as DeliveryError['fault'], message: error },
    message: message ?? undefined,
    reason: fromOptionalText(reason),
  };
}

function toItem({ item: key, item_name: name, item_picture: picture }: DeliveryRow): Delivery['item'] {
  return key === null ? undefined : { key, name: name ?? key, picture: picture ?? undefined };
}

function toRetry({ retry_ms: forMs, retry_attempts: attempts }: DeliveryRow): Delivery['retry'] {
  return forMs === null && attempts === null ? undefined : { forMs: forMs ?? undefined, attempts: attempts ?? undefined };
}

/** When a delivery was settled; until then, and for rows of early versions, when it was due. */
export function endOf(table: string): RawBuilder<number> {
  return sql<number>`coalesce(${sql.ref(`${table}.settled_ms`)}, ${sql.ref(`${table}.begins_ms`)})`;
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
  const { id, rule, textVersion, item, episode, queue, section, occasion, step, account, state, attempts } = delivery;
  return {
    id,
    firing: firing.id,
    rule,
    text_version: textVersion ?? null,
    item: item?.key ?? null,
    item_name: item?.name ?? null,
    item_picture: item?.picture ?? null,
    episode,
    queue,
    section,
    occasion,
    step,
    verb,
    account,
    creates: toFlag(creates),
    even_if_unchanged: toFlag(evenIfUnchanged),
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
    message: message ?? null,
    reason: toText(reason),
  };
}

/** The columns that an `OpenDelivery` is made of. */
export const ORDER_COLUMNS = [
  'id',
  'account',
  'queue',
  'state',
  'position',
  'part',
  'created_ms',
  'begins_ms',
  'expires_ms',
  'max_age_ms',
  'since_ms',
] as const satisfies readonly (keyof Tables['delivery'])[];

export function toOpenDelivery(row: Pick<Selectable<Tables['delivery']>, (typeof ORDER_COLUMNS)[number]>): OpenDelivery {
  const { id, account, queue, position: order, part, created_ms, begins_ms, expires_ms, max_age_ms, since_ms } = row;
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
  'firing',
  'step',
  'account',
  'element',
  'after',
  'state',
  'created_ms',
  'begins_ms',
  'plan',
  'reason',
  'result',
  'omitted',
  'origins',
] as const satisfies readonly (keyof Tables['delivery'])[];

/** See `Needed.waitsUntilMs`. */
export function waitsUntilMs({
  state,
  created_ms,
  begins_ms,
}: Pick<Selectable<Tables['delivery']>, 'state' | 'created_ms' | 'begins_ms'>): number | undefined {
  return state === 'pending' && begins_ms !== created_ms ? begins_ms : undefined;
}

export function toSeen(row: Pick<Selectable<Tables['delivery']>, (typeof SEEN_COLUMNS)[number]>): SeenDelivery {
  const { id, firing, step, account, element, after, state, created_ms, begins_ms, plan, reason, result, omitted, origins } = row;
  return {
    id,
    firing,
    step,
    account,
    element: element === '' ? undefined : element,
    after: after ?? undefined,
    state,
    waitsUntilMs: waitsUntilMs({ state, created_ms, begins_ms }),
    plan: fromText(plan),
    reasonKind: fromOptionalText<DeliveryReason>(reason)?.kind,
    result: fromOptionalText(result),
    omitted: fromOptionalText(omitted),
    origins: fromOptionalText(origins),
  };
}

export function toNeed({ delivery, needed, reads, stops }: Selectable<Tables['need']>): Need {
  return { delivery, needed, reads: reads === 1, stops: stops === 1 };
}

export function toNeedState(row: Selectable<Tables['need']> & Pick<Selectable<Tables['delivery']>, 'state' | 'settled_ms'>): NeedState {
  return { ...toNeed(row), state: row.state, settledMs: row.settled_ms ?? undefined };
}
