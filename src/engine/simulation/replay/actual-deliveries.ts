import type { DeliveryLog } from '#src/engine/delivery/delivery-log.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import type { DeliveryReason } from '#src/engine/delivery/reason.ts';
import type { Rule } from '#src/rules/rule.ts';
import { storedStepPosition, type StepPosition } from '#src/rules/step-name.ts';
import { itemKey, slotKey } from './delivery-slot.ts';
import { deliveriesSince } from './traces.ts';

type Kind = DeliveryReason['kind'] | undefined;

/** Reasons of skipped deliveries that lie outside the replay: what a person deleted, and what another value of `each` did. */
export const OUTSIDE: readonly Kind[] = ['alreadyDeleted', 'roleOfOther'];

/** Reasons of skipped deliveries that no edit of the rule explains. */
const LEFT_OUT: readonly Kind[] = ['tooLate', ...OUTSIDE];

/** A real delivery with its slot and its item. */
export interface ActualDelivery {
  readonly delivery: Delivery;
  /** The slot that decided it, in milliseconds since 1970. */
  readonly atMs: number;
  /** See `slotKey` in `delivery-slot.ts`. */
  readonly slotKey: string;
  /** The name or the key of the item; empty if it has no item. */
  readonly about: string;
  readonly position: StepPosition;
}

/** The deliveries of a rule since an instant, in the order of their slots, and the slots of the firings that a pause or a mute withdrew. */
export async function actualSince(
  rule: Rule,
  deliveryLog: DeliveryLog,
  sinceMs: number,
): Promise<{ readonly all: readonly ActualDelivery[]; readonly withdrawnMs: readonly number[] }> {
  const found = await deliveriesSince(rule, { deliveryLog, sinceMs });
  const deliveries = found.filter(({ state, since, reason }) => state !== 'skipped' || since || LEFT_OUT.includes(reason?.kind));
  const slotsMs = await deliveryLog.slotsMs([...new Set(found.map(({ firing }) => firing))]);
  const withdrawn = new Set(
    found.flatMap(({ reason, firing }) => (reason?.kind === 'rulePaused' || reason?.kind === 'itemMuted' ? [firing] : [])),
  );
  const withdrawnMs = [...withdrawn].flatMap((firing) => slotsMs.get(firing) ?? []);
  const byId = new Map(deliveries.map((delivery) => [delivery.id, delivery]));
  const all = deliveries
    .map((delivery) => ({
      delivery,
      atMs: slotsMs.get(delivery.firing) ?? delivery.createdAt.getTime(),
      slotKey: slotKey({ ...delivery, part: partOf(delivery, byId) }),
      about: itemKey(delivery) ?? '',
      position: storedStepPosition(rule, delivery),
    }))
    .toSorted((a, b) => a.atMs - b.atMs);
  return { all, withdrawnMs };
}

/** The number of the part in its thread, from 1. */
function partOf(delivery: Delivery, byId: ReadonlyMap<string, Delivery>): number {
  let part = 1;
  for (let { after } = delivery; after !== undefined; after = byId.get(after)?.after) part++;
  return part;
}

/** Whether it is on its platform. A question is, with or without an answer. */
export function isPublished({ delivery: { state } }: ActualDelivery): boolean {
  return state === 'sent' || state === 'asked';
}
