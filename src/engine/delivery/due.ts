import type { DeliveryRows } from './delivery-rows.ts';
import {
  byPosition,
  holdsQueue,
  holdsUp,
  isUnconditional,
  isUnmet,
  latestBeginMs,
  NOBODY,
  waitsAlong,
  waitsDirectly,
  type NeedState,
  type OpenDelivery,
  type Position,
  type Waiting,
} from './ordering.ts';

const PAGE = 50;
/** Later pages are read only if everything on the first one waits. */
const LATER_PAGE = 4_000;
const AHEAD_PAGE = 500;

/** The deliveries of an account that may be attempted now: begun ones first, then in their order. */
export async function findDue(
  rows: DeliveryRows,
  account: string,
  { nowMs, limit }: { readonly nowMs: number; readonly limit: number },
): Promise<readonly OpenDelivery[]> {
  const due: OpenDelivery[] = [];
  /** The first delivery of each queue that holds up all later ones. */
  const holders = new Map<string, OpenDelivery>();
  /** Queues in which more than one delivery waits: later pages leave them out. */
  const crowded = new Set<string>();
  let waiting: Waiting | undefined;
  let after: Position | undefined;
  for (let size = Math.max(PAGE, limit); ; size = LATER_PAGE) {
    const heldQueues = [...crowded].filter((queue) => {
      const holder = holders.get(queue);
      return after && holder && byPosition(holder, after) <= 0;
    });
    const candidates = await rows.candidates(account, { nowMs, after, heldQueues, limit: size });
    if (candidates.length === 0) return due;
    const page = await withLatestBegin(rows, candidates, nowMs);
    waiting ??= await findWaiting(rows);
    const heads: OpenDelivery[] = [];
    for (const delivery of page) {
      const holder = holders.get(delivery.queue);
      const isHeld = holder !== undefined && byPosition(holder, delivery) < 0;
      if (!isHeld || isUnconditional(delivery, nowMs)) heads.push(delivery);
      if (isHeld) crowded.add(delivery.queue);
      else if (holdsQueue(delivery, waiting, nowMs)) holders.set(delivery.queue, delivery);
    }
    const now: Now = { waiting, nowMs };
    const needs = await needsOf(rows, heads, nowMs);
    const met = heads.filter(({ id }) => !(needs.get(id) ?? []).some((need) => isUnmet(need, now.waiting)));
    // Most often, the first ones are free.
    for (let from = 0; due.length < limit && from < met.length; from += limit)
      due.push(...(await withoutHeldUp(rows, met.slice(from, from + limit), now)));
    if (due.length >= limit || page.length < size) return due.slice(0, limit);
    after = page.at(-1);
  }
}

interface Now {
  readonly waiting: Waiting;
  readonly nowMs: number;
}

/** Leaves out deliveries behind a delivery that holds them up and is not due itself. */
async function withoutHeldUp(rows: DeliveryRows, met: readonly OpenDelivery[], now: Now): Promise<readonly OpenDelivery[]> {
  const conditional = met.filter((delivery) => !isUnconditional(delivery, now.nowMs));
  const behind = conditional.length === 0 ? new Set<string>() : await rows.behind(conditional.map(({ id }) => id));
  const heldUp = new Set<string>();
  for (const delivery of conditional) {
    if (behind.has(delivery.id) && (await isHeldUp(rows, delivery, now))) heldUp.add(delivery.id);
  }
  return met.filter(({ id }) => !heldUp.has(id));
}

/** Extends the time of deliveries that waited for results. */
async function withLatestBegin(rows: DeliveryRows, page: readonly OpenDelivery[], nowMs: number): Promise<readonly OpenDelivery[]> {
  const isOver = (one: OpenDelivery): boolean => one.state === 'pending' && isUnconditional(one, nowMs);
  const over = page.filter(isOver).map(({ id }) => id);
  if (over.length === 0) return page;
  const needs = Map.groupBy(await rows.needs(over), ({ delivery }) => delivery);
  return page.map((one) => (isOver(one) ? { ...one, expiresMs: latestBeginMs(one, needs.get(one.id) ?? []) } : one));
}

async function needsOf(rows: DeliveryRows, page: readonly OpenDelivery[], nowMs: number): Promise<ReadonlyMap<string, NeedState[]>> {
  const ids = page.filter((one) => !isUnconditional(one, nowMs)).map(({ id }) => id);
  return Map.groupBy(ids.length === 0 ? [] : await rows.needs(ids), ({ delivery }) => delivery);
}

/** Whether an earlier delivery of its queue holds it up that is not due itself. */
async function isHeldUp(rows: DeliveryRows, delivery: OpenDelivery, { waiting, nowMs }: Now): Promise<boolean> {
  let after: Position | undefined;
  for (;;) {
    const page = await rows.ahead(delivery, { after, limit: AHEAD_PAGE });
    if (page.some((ahead) => holdsUp(ahead, { delivery, waiting, nowMs }))) return true;
    if (page.length < AHEAD_PAGE) return false;
    after = page.at(-1);
  }
}

/** The open deliveries that wait for the operator or for a person. */
async function findWaiting(rows: Pick<DeliveryRows, 'waitingNeeds' | 'dependents'>): Promise<Waiting> {
  const needs = await rows.waitingNeeds();
  return needs.length === 0 ? NOBODY : { operator: await closure(rows, needs, 'operator'), person: await closure(rows, needs, 'person') };
}

/** The open deliveries that wait for the operator, however long. */
export async function findWaitingForOperator(rows: Pick<DeliveryRows, 'waitingNeeds' | 'dependents'>): Promise<ReadonlySet<string>> {
  return closure(rows, await rows.waitingNeeds(), 'operator');
}

async function closure(
  rows: Pick<DeliveryRows, 'dependents'>,
  needs: readonly NeedState[],
  whom: keyof Waiting,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  let next = needs.filter((need) => waitsDirectly(need, whom)).map(({ delivery }) => delivery);
  while (next.length > 0) {
    for (const id of next) found.add(id);
    const dependents = await rows.dependents(next);
    next = [...new Set(dependents.filter((need) => waitsAlong(need, whom)).map(({ delivery }) => delivery))].filter((id) => !found.has(id));
  }
  return found;
}
