import { isOpen, NEVER_MS, type Batch, type SimulatedDelivery } from './simulated-delivery.ts';

/** Where a delivery stands. */
export interface Place {
  readonly batch: Batch;
  readonly delivery: SimulatedDelivery;
}

export interface Looking {
  readonly nowMs: number;
  readonly find: (id: string) => SimulatedDelivery | undefined;
}

/**
 * The first of the deliveries that may be worked on: see `Deliveries.due` of the outbox.
 *
 * `batches` are those with something left to do, in the order of their commits.
 */
export function firstDue(batches: Iterable<Batch>, looking: Looking): Place | undefined {
  const { nowMs } = looking;
  const held = new Set<string>();
  /** Where a firing of `then` waits: those after it come when it is through. */
  const queued = new Set<string>();
  for (const batch of batches) {
    const isThen = batch.section === 'then';
    const waiting: string[] = [];
    for (const delivery of batch.deliveries) {
      if (!isOpen(delivery)) continue;
      const { state, planned, dueMs, beginsMs } = delivery;
      const lane = `${planned.account} ${batch.queue}`;
      const isFree =
        state === 'asked' ||
        isExpired(delivery, nowMs) ||
        (!held.has(lane) && !(isThen && queued.has(lane)) && !isHeldUp(delivery, looking));
      if (dueMs <= nowMs && isFree) return { batch, delivery };
      if (state !== 'pending' || waitsForPerson(delivery, looking)) continue;
      if (beginsMs <= nowMs) held.add(lane);
      else if (isThen) waiting.push(lane);
    }
    for (const lane of waiting) queued.add(lane);
  }
  return undefined;
}

/** When something comes due after now; undefined: nothing waits for a time. */
export function nextDueMs(batches: Iterable<Batch>, nowMs: number): number | undefined {
  let nextMs = NEVER_MS;
  for (const { deliveries } of batches) {
    for (const delivery of deliveries) {
      if (!isOpen(delivery)) continue;
      const { dueMs, expiresMs, sinceMs } = delivery;
      if (dueMs > nowMs) nextMs = Math.min(nextMs, dueMs);
      else if (expiresMs !== undefined && sinceMs === undefined && expiresMs >= nowMs) nextMs = Math.min(nextMs, expiresMs + 1);
    }
  }
  return nextMs === NEVER_MS ? undefined : nextMs;
}

/** Whether it will never be begun, whatever it waits for. */
export function isExpired({ sinceMs, expiresMs }: SimulatedDelivery, nowMs: number): boolean {
  return sinceMs === undefined && expiresMs !== undefined && expiresMs < nowMs;
}

function isHeldUp({ needs }: SimulatedDelivery, { find }: Looking): boolean {
  return needs.some(({ needed, reads }) => {
    const state = find(needed)?.state;
    return state === 'pending' || (reads && state === 'asked');
  });
}

/** For the answer to a question, as it reads it or comes after one that does. */
function waitsForPerson({ needs }: SimulatedDelivery, looking: Looking, seen: Set<string> = new Set()): boolean {
  return needs.some(({ needed, reads }) => {
    const other = looking.find(needed);
    if (!other || seen.has(needed)) return false;
    seen.add(needed);
    return (reads && other.state === 'asked') || (isOpen(other) && waitsForPerson(other, looking, seen));
  });
}
