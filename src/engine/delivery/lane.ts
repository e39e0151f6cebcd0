import { isOutage } from '#src/errors.ts';
import { Alarm } from './alarm.ts';
import { MAX_PAUSE_MS } from './lanes.ts';
import { createAttemptQueue, type QueuedAttempt } from './attempt-queue.ts';
import { createOvertaking } from './overtaking.ts';
import type { EngineContext } from './engine-context.ts';
import type { Delivery } from './delivery.ts';
import { sendBegun } from './send.ts';
import { workOn } from './work.ts';
import { logFieldsOf } from './log-fields.ts';

const BATCH = 20;
const DEFECT_PAUSE_MS = 60_000;
const OUTAGE_PAUSE_MS = 1_000;
/** The number of deliveries that are rendered, attempted or stored at once. */
const MAX_UNDER_WAY = 40;

/** The deliveries of one account: several at once, and those of one order one after the other, unless one takes too long. */
export interface Lane {
  /** Works until `signal` aborts, or until there was no work for `idleMs`. Finishes the attempts that are under way. */
  run(signal: AbortSignal, idleMs?: number): Promise<void>;
  /** Reconciles the deliveries that were begun. */
  reconcile(signal: AbortSignal): Promise<void>;
  /**
   * Keeps the lane for the first attempt at a delivery that is being committed, if it has nothing else to do; undefined: it has. Until the
   * reservation ends, no other delivery begins.
   */
  reserve(id: string): Reservation | undefined;
  /** Checks for due deliveries at once. */
  wake(): void;
}

/** The lane of an attempt that begins with a commit. */
export interface Reservation {
  /** Ends the reservation with the delivery, which is stored as `sending`, so that its attempt begins; undefined: it is not. */
  end(begun: Delivery | undefined, order?: string): void;
}

/** The lane of `account`. */
export function createLane(account: string, engine: EngineContext): Lane {
  const { deliveries, clock, log, maxPauseMs } = engine;
  const alarm = new Alarm();
  const underWay = new Map<string, Promise<void>>();
  /** The deliveries whose attempt is under way: the others are searched for. */
  const attempted = new Set<string>();
  /** The deliveries that a record was found for, by the id of the record, until they are stored. */
  const claims = new Map<string, string>();
  const attempts = createAttemptQueue({ atOnce: engine.writesAtOnce(account), clock });
  const queued = new Map<string, QueuedAttempt>();
  /** Called when a delivery is no longer under way. */
  let onEnd: (() => void) | undefined;
  /** Whether the lane waits for new work: every begun delivery of an earlier run was worked on, and no delivery has a later time. */
  let isFree = false;
  let running: AbortSignal | undefined;
  let reserved: Promise<void> | undefined;
  const context: EngineContext = {
    ...engine,
    isUnderWay: (id) => attempted.has(id),
    claim({ id }, record) {
      const claimedBy = claims.get(record);
      if (claimedBy === undefined) claims.set(record, id);
      return claimedBy === undefined || claimedBy === id;
    },
    async begin({ id }, order) {
      await queued.get(id)?.begin(order);
      return !running?.aborted;
    },
    record(delivery, change, parts) {
      if (change.state !== 'sending') queued.get(delivery.id)?.end();
      return engine.record(delivery, change, parts);
    },
  };

  async function work(delivery: Delivery, signal: AbortSignal, attempt = workOn): Promise<void> {
    if (delivery.state === 'pending' || attempt === sendBegun) attempted.add(delivery.id);
    try {
      await attempt(delivery, context);
    } catch (error) {
      if (signal.aborted) return;
      log.error({ ...logFieldsOf(delivery), error }, 'a delivery could not be processed; Fanfare retries');
      // The change waits for the end of an outage.
      const pauseMs = isOutage(error) ? OUTAGE_PAUSE_MS : DEFECT_PAUSE_MS;
      await context.record(delivery, { state: delivery.state, dueAt: new Date(clock.nowMs() + pauseMs) });
    }
  }

  /** Notes that a delivery is under way until its work ends. */
  function follow(id: string, working: Promise<void>): Promise<void> {
    const done = working.finally(() => {
      queued.get(id)?.end();
      queued.delete(id);
      attempted.delete(id);
      underWay.delete(id);
      for (const [record, by] of claims) if (by === id) claims.delete(record);
      onEnd?.();
      // Its end may free the next delivery of its queue.
      alarm.ring();
    });
    underWay.set(id, done);
    return done;
  }

  /**
   * Begins to work on deliveries. `attempts` decides which of them is sent when.
   *
   * The store writes the outcomes of some and the beginnings of others in one transaction.
   */
  async function workInOrder(batch: readonly Delivery[], signal: AbortSignal): Promise<void> {
    for (const delivery of batch) {
      while (underWay.size >= MAX_UNDER_WAY) await new Promise<void>((resolve) => (onEnd = resolve));
      if (signal.aborted) return;
      queued.set(delivery.id, attempts.add());
      void follow(delivery.id, work(delivery, signal));
    }
  }

  async function reconcileBegun(signal: AbortSignal): Promise<boolean> {
    await workInOrder(await deliveries.begun(account), signal);
    return true;
  }

  /** Works on what is due, or waits for it; false if there was no work for `idleMs`. */
  async function workOnDue(signal: AbortSignal, idleMs: number): Promise<boolean> {
    // A delivery that ends while the list is read would appear in its old state.
    await reserved;
    const busy = new Set(underWay.keys());
    const nowMs = clock.nowMs();
    const limit = BATCH + busy.size;
    const due = await deliveries.due(account, { nowMs, limit });
    const batch = due.filter(({ id }) => !busy.has(id));
    await workInOrder(batch, signal);
    // Otherwise, only the end of an attempt, a later time or other work brings more.
    if (due.length === limit || signal.aborted) return true;
    const nextMs = await deliveries.nextDueMs(account, nowMs);
    const pauseMs = Math.min(maxPauseMs, Math.max(0, (nextMs ?? Infinity) - clock.nowMs()));
    isFree = nextMs === undefined;
    const isRung = await alarm.wait(Math.min(pauseMs, idleMs), { clock, signal }).finally(() => (isFree = false));
    return isRung || pauseMs < idleMs || underWay.size > 0;
  }

  return {
    async run(signal, idleMs = Infinity) {
      running = signal;
      let next = reconcileBegun as typeof workOnDue; // it waits for nothing
      let logged: string | undefined;
      while (!signal.aborted) {
        try {
          if (!(await next(signal, idleMs))) break;
          next = workOnDue;
          logged = undefined;
        } catch (error) {
          const message = error instanceof Error ? error.message : String(error);
          if (message !== logged) log.error({ account, error }, 'the delivery engine failed; it retries');
          logged = message;
          await alarm.wait(MAX_PAUSE_MS, { clock, signal });
        }
      }
      await Promise.allSettled(underWay.values());
    },
    async reconcile(signal) {
      await reconcileBegun(signal);
      await Promise.all(underWay.values());
    },
    reserve(id) {
      const signal = running;
      if (!isFree || !signal || signal.aborted || underWay.size > 0) return undefined;
      const ended = Promise.withResolvers<readonly [begun: Delivery | undefined, order: string | undefined]>();
      const { promise: hasBegun, resolve } = Promise.withResolvers<void>();
      const attempt = async (): Promise<void> => {
        const [delivery, order] = await ended.promise;
        if (!delivery) return;
        // Others may wait behind it from now on, and not behind a commit that hangs.
        const one = attempts.add();
        queued.set(id, one);
        await one.begin(order);
        resolve();
        await work(delivery, signal, sendBegun);
      };
      const done = follow(id, attempt());
      const overtaking = createOvertaking(clock);
      reserved = overtaking.wait([hasBegun, done]).finally(() => overtaking[Symbol.dispose]());
      return { end: (begun, order) => ended.resolve([begun, order]) };
    },
    wake: () => alarm.ring(),
  };
}
