import { Alarm } from './alarm.ts';
import type { OutboxContext } from './context.ts';
import type { Delivery, DeliveryState } from './delivery.ts';
import { findOut } from './find-out.ts';
import { closeUnanswered } from './question.ts';
import { send } from './send.ts';

/** How long nobody looks where nothing is due: what another process wrote is found then. */
export const IDLE_MS = 30_000;

const BATCH = 20;
const DEFECT_PAUSE_MS = 60_000;
/** How long the next delivery waits for the one before it: usually long enough to keep the order of the commits. */
const OVERTAKE_AFTER_MS = 2_000;
/** How many deliveries of an account are under way at once. */
const MAX_UNDER_WAY = 8;

/** What is to be done about a delivery that is due. */
const WORK: Readonly<Partial<Record<DeliveryState, (delivery: Delivery, context: OutboxContext) => Promise<void>>>> = {
  pending: send,
  sending: findOut,
  asked: closeUnanswered,
};

/** What goes through one account: one at a time, until one takes too long. */
export interface Lane {
  /** Works until `signal` aborts; what is under way then is finished. */
  run(signal: AbortSignal): Promise<void>;
  /** Finds out what became of all that was begun. */
  reconcile(signal: AbortSignal): Promise<void>;
  /** There may be something new. */
  wake(): void;
}

/** The lane of `account`. */
export function createLane(account: string, outbox: OutboxContext): Lane {
  const { deliveries, clock, log } = outbox;
  const alarm = new Alarm();
  const underWay = new Map<string, Promise<void>>();
  const context: OutboxContext = { ...outbox, isUnderWay: (id) => underWay.has(id) };

  async function work(delivery: Delivery, signal: AbortSignal): Promise<void> {
    try {
      await WORK[delivery.state]?.(delivery, context);
    } catch (error) {
      if (signal.aborted) return;
      log.error({ delivery: delivery.id, error }, 'a delivery could not be worked on; trying again in a minute');
      await context.record(delivery, { state: delivery.state, dueAt: new Date(clock.nowMs() + DEFECT_PAUSE_MS) });
    }
  }

  /** Begins one delivery after the other; each waits for the one before it, unless that takes too long. */
  async function workInOrder(batch: readonly Delivery[], signal: AbortSignal): Promise<void> {
    for (const delivery of batch) {
      while (underWay.size >= MAX_UNDER_WAY) await Promise.race(underWay.values());
      if (signal.aborted) return;
      const done = work(delivery, signal).finally(() => underWay.delete(delivery.id));
      underWay.set(delivery.id, done);
      if (await endsInTime(done)) continue;
      // What waits for it may be begun as soon as it ends.
      void done.then(
        () => alarm.ring(),
        () => alarm.ring(),
      );
    }
  }

  async function endsInTime(done: Promise<void>): Promise<boolean> {
    const sleep = new AbortController();
    const late = clock.sleep(OVERTAKE_AFTER_MS, sleep.signal).then(
      () => false,
      () => true,
    );
    try {
      return await Promise.race([done.then(() => true), late]);
    } finally {
      sleep.abort();
    }
  }

  async function reconcile(signal: AbortSignal): Promise<void> {
    await workInOrder(await deliveries.begun(account), signal);
  }

  async function workOnDue(signal: AbortSignal): Promise<void> {
    // One that ends while the list is read would stand in it as it was before.
    const busy = new Set(underWay.keys());
    const due = await deliveries.due(account, { nowMs: clock.nowMs(), limit: BATCH + busy.size });
    const batch = due.filter(({ id }) => !busy.has(id));
    if (batch.length > 0) return workInOrder(batch, signal);
    const nextMs = await deliveries.nextDueMs(account, clock.nowMs());
    const pauseMs = (nextMs ?? Infinity) - clock.nowMs();
    await alarm.wait(Math.min(IDLE_MS, Math.max(0, pauseMs)), { clock, signal });
  }

  return {
    async run(signal) {
      let next = reconcile;
      while (!signal.aborted) {
        try {
          await next(signal);
          next = workOnDue;
        } catch (error) {
          log.error({ account, error }, 'the outbox could not go on; trying again');
          await alarm.wait(IDLE_MS, { clock, signal });
        }
      }
      await Promise.allSettled(underWay.values());
    },
    async reconcile(signal) {
      await reconcile(signal);
      await Promise.all(underWay.values());
    },
    wake: () => alarm.ring(),
  };
}
